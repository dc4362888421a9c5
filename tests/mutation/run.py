"""Change the kernels and parsers, one small thing at a time, and see whether a test notices.

    python tests/mutation/run.py _kernels.ranks targets._inputs     # some modules
    python tests/mutation/run.py --out result.jsonl                 # all of them, some hours
    python tests/mutation/run.py --again result.jsonl               # only those that survived

The tests run once, traced, which tells what tests reach each line. For every mutant the process is
forked and the changed code put into the functions of the imported package; the tests that reach its
line run, the quickest first and on few hypothesis examples. What they do not notice meets all tests
that reach the module, on all examples.
"""

import argparse
import ast
import collections
import importlib
import inspect
import json
import os
import pathlib
import random
import signal
import sys
import time
from functools import partial

os.environ.setdefault("OMP_NUM_THREADS", "1")
ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(pathlib.Path(__file__).parent)]

import pytest  # noqa: E402
from mutants import Mutant, mutants_of  # noqa: E402

NAME = "sklearn_ordinal_censored"
TESTED = ["tests"]
LEFT_OUT = ["boosting", "compose", "datasets", "plotting", "scale", "test_estimator_checks.py"]
LEFT_OUT += ["test_documentation.py", "test_layering.py", "test_bad_input.py", "test_search.py"]
SLOW = 20.0  # seconds of a traced test, above which it is left out
UNCHANGED = "unchanged"
FEW = 20  # hypothesis examples of the first pass


class NoPolars:
    """Polars as not installed: its threads do not live on in a fork, which would wait for them."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Find nothing, and let nobody else look for it."""
        if name == "polars":
            raise ModuleNotFoundError(name=name)


class Profile:
    """What lines each test reaches, and how long it takes."""

    def __init__(self, modules):
        self.files = {inspect.getfile(module): name for name, module in modules.items()}
        self.reached, self.seconds = {}, {}

    def record(self, item, run):
        """Run a test under a trace."""
        seen = set()

        def _line(frame, event, _):
            seen.add((self.files[frame.f_code.co_filename], frame.f_lineno))
            return _line

        def _call(frame, event, arg):
            return _line(frame, event, arg) if frame.f_code.co_filename in self.files else None

        began = time.perf_counter()
        sys.settrace(_call)
        try:
            run(item)
        finally:
            sys.settrace(None)
        self.seconds[item.nodeid] = time.perf_counter() - began
        self.reached[item.nodeid] = seen

    def tests(self, items, module, lines=None):
        """Return the tests that reach a line, or the module, the quickest first."""
        found = [
            item
            for item in items
            if self.seconds[item.nodeid] < SLOW
            and any(
                name == module and (lines is None or line in lines)
                for name, line in self.reached[item.nodeid]
            )
        ]
        return sorted(found, key=lambda item: self.seconds[item.nodeid])


class MutationTest:
    """A plugin that runs the collected tests on mutants instead of once."""

    def __init__(self, options):
        self.options = options
        self.failed = False

    def pytest_collectreport(self, report):
        """Stop where a test file cannot be read."""
        assert not report.failed, report.longrepr

    def pytest_runtest_logreport(self, report):
        """Remember a failure."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session):
        """Trace the tests, then run them on every mutant."""
        modules = {name: importlib.import_module(f"{NAME}.{name}") for name in self.options.modules}
        profile = Profile(modules)
        items = [item for item in session.items if self._passes(profile, item)]
        print(f"{len(items)} tests, {sum(profile.seconds.values()):.0f} s", flush=True)
        self._check_controls(items, profile, modules)
        chosen = [(name, mutant) for name in modules for mutant in self._mutants(modules[name])]
        workers = [
            self._fork(chosen[n :: self.options.jobs], items, profile, modules)
            for n in range(self.options.jobs)
        ]
        for worker in workers:
            os.waitpid(worker, 0)
        return True

    def _passes(self, profile, item):
        self.failed = False
        profile.record(item, _run)
        if self.failed:
            print(f"left out, since it fails by itself: {item.nodeid}")
        return not self.failed

    def _check_controls(self, items, profile, modules):
        """Stop where a module put in unchanged fails, since no verdict on it would count."""
        for name, control in _controls(modules):
            if not profile.tests(items, name):
                raise pytest.UsageError(f"no test reaches {name}; give other --tests")
            verdict = self._verdict(name, control, items, profile, modules[name])
            if verdict != "survived":
                raise pytest.UsageError(f"{name} fails unchanged ({verdict}); no mutant was run")

    def _mutants(self, module):
        mutants = mutants_of(pathlib.Path(module.__file__).read_text())
        if self.options.again is not None:
            name = module.__name__.removeprefix(f"{NAME}.")
            keys = {key for of, key in self.options.again if of == name}
            found = [mutant for mutant in mutants if mutant.key in keys]
            if len(found) < len(keys):
                print(f"{name}: {len(keys) - len(found)} of {len(keys)} are in the source no more")
            return found
        if self.options.sample and len(mutants) > self.options.sample:
            mutants = random.Random(0).sample(mutants, self.options.sample)
        return mutants

    def _fork(self, chosen, items, profile, modules):
        pid = os.fork()
        if pid:
            return pid
        with open(self.options.out, "a") as file:
            for name, mutant in chosen:
                began = time.perf_counter()
                verdict = self._verdict(name, mutant, items, profile, modules[name])
                row = {"module": name, "mutant": mutant.key, "verdict": verdict}
                row["seconds"] = round(time.perf_counter() - began, 1)
                print(json.dumps(row), file=file, flush=True)
        os._exit(0)

    def _verdict(self, name, mutant, items, profile, module):
        tests = profile.tests(items, name, None if mutant.at_import else mutant.lines)
        everything = mutant.at_import or not tests
        passes = [(tests, FEW)] if tests else []
        if mutant.what != UNCHANGED:
            passes.append((profile.tests(items, name), None))
        for tests, examples in passes:
            seconds = 20 + 3 * sum(profile.seconds[item.nodeid] for item in tests)
            pid = os.fork()
            if not pid:
                self._child(module, mutant.change(), everything, tests, examples, round(seconds))
            status = os.waitpid(pid, 0)[1]
            if os.WIFSIGNALED(status):
                return "timeout" if os.WTERMSIG(status) == signal.SIGALRM else "crash"
            if os.WEXITSTATUS(status):
                return "killed"
        return "survived"

    def _child(self, module, tree, everything, tests, examples, seconds):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            put_in(module, tree, everything)
            for item, following in zip(tests, [*tests[1:], None], strict=False):
                _limit_examples(item, examples)
                self.failed = False
                _run(item, following)
                if self.failed:
                    os._exit(1)
        except BaseException:
            os._exit(1)
        os._exit(0)


def _controls(modules):
    """Return the modules as they are, which have to survive."""
    for name, module in modules.items():
        source = pathlib.Path(module.__file__).read_text()
        yield name, Mutant(0, 0, UNCHANGED, range(0), True, partial(ast.parse, source))


def _run(item, following=None):
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _limit_examples(item, examples):
    from hypothesis import Phase, settings  # after pytest, which rewrites what it asserts

    name = "_hypothesis_internal_use_settings"
    function = getattr(item, "obj", None)
    if hasattr(function, name):
        own = getattr(function, name)
        most = min(own.max_examples, examples or own.max_examples)
        phases = (Phase.explicit, Phase.generate)
        function = getattr(function, "__func__", function)
        setattr(function, name, settings(own, max_examples=most, phases=phases))


def put_in(module, tree, everything):
    """Put changed code into the functions of an imported module, and its constants if asked."""
    changed = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(tree, module.__file__, "exec"), changed)
    for name, new in changed.items():
        old = vars(module).get(name)
        if name.startswith("__") or getattr(new, "__module__", "") not in ("", module.__name__):
            continue
        if callable(old):
            _put_in_object(old, new, everything)
        elif everything and old is not None and not inspect.ismodule(old):
            for other in list(sys.modules.values()):
                if getattr(other, "__name__", "").startswith(NAME) and vars(other).get(name) is old:
                    setattr(other, name, new)


def _put_in_object(old, new, everything):
    if inspect.isclass(old):
        for name, part in vars(new).items():
            if name in vars(old) and not name.startswith("__class"):
                _put_in_object(vars(old)[name], part, everything)
        return
    for way in ("fget", "__func__"):
        old, new = getattr(old, way, old), getattr(new, way, new)
    if hasattr(old, "cache_clear"):
        old.cache_clear()
    old, new = inspect.unwrap(old), inspect.unwrap(new)
    if inspect.isfunction(old) and old.__code__.co_freevars == new.__code__.co_freevars:
        old.__code__ = new.__code__
        if everything:
            old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__


def all_modules():
    """Return the kernels and parsers."""
    files = [*(ROOT / NAME / "_kernels").glob("*.py"), *(ROOT / NAME / "targets").glob("*.py")]
    files.append(ROOT / NAME / "_response.py")
    names = [".".join(f.relative_to(ROOT / NAME).with_suffix("").parts) for f in sorted(files)]
    return [name for name in names if not name.endswith("__init__")]


def survivors(path):
    """Return the mutants that survived when a file was written."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    last = {(row["module"], row["mutant"]): row["verdict"] for row in rows}
    return {key for key, verdict in last.items() if verdict == "survived"}


def print_table(path):
    """Print how many mutants of each module were killed."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    last = {(row["module"], row["mutant"]): row["verdict"] for row in rows}
    counts = collections.defaultdict(collections.Counter)
    for (module, mutant), verdict in last.items():
        counts[module][verdict == "survived"] += 1
        if verdict == "survived":
            print(f"{module}:{mutant}")
    for module, count in counts.items():
        print(f"| `{module}` | {count.total()} | {count[False]} | {count[True]} |")


def main():
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="such as _kernels.ranks; all without")
    parser.add_argument("--sample", type=int, help="most mutants of a module, drawn at random")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("mutants.jsonl"))
    parser.add_argument("--again", type=pathlib.Path, help="only survivors of that file")
    parser.add_argument("--tests", nargs="+", default=TESTED, help="files to run")
    options = parser.parse_args()
    if options.again is not None:
        options.again = survivors(options.again)
        options.modules = options.modules or sorted({module for module, _ in options.again})
        if not options.modules:
            parser.exit(message="nothing survived\n")
    options.modules = options.modules or all_modules()
    sys.meta_path.insert(0, NoPolars)
    if "_kernels.pairs_fast" in options.modules:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    arguments = ["-o", "addopts=", "-p", "no:terminal", "-p", "no:cacheprovider", "-s"]
    arguments += ["--import-mode=importlib", "--rootdir", str(ROOT)]
    arguments += [f"--ignore-glob=*{name}" for name in [*LEFT_OUT, "mutation", "benchmarks"]]
    os.chdir(ROOT)
    code = pytest.main([*arguments, *options.tests], plugins=[MutationTest(options)])
    if code == pytest.ExitCode.OK:
        print_table(options.out)
    return code


if __name__ == "__main__":
    sys.exit(main())
