"""How far a long loop is, printed for whoever asks for it with ``verbose``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")
_PARTS = 10  # lines of a loop whose length is known
_PATIENCE = 60.0  # seconds without a line


class Progress(NamedTuple):
    """Prints on behalf of a function or a class how far its loops are.

    Attributes
    ----------
    name : str
        Who reports.
    verbose : int, default=0
        0: silence. 1: about ten lines a loop, more where they would be minutes apart. Above 1:
        a line for every item.

    Examples
    --------
    >>> for item in Progress("demo", verbose=1).over("ab", "letters", total=2):
    ...     pass
    [demo] letters: 1 of 2 after ... s
    [demo] letters: 2 of 2 after ... s
    """

    name: str
    verbose: int = 0

    def over(
        self,
        items: Iterable[Item],
        what: str,
        total: int | None = None,
        size: Callable[[Item], int] | None = None,
    ) -> Iterable[Item]:
        """Return the items, with lines between them that say how many are done.

        Parameters
        ----------
        items : iterable
            What a loop is over; handed back as it is for silence. Only a loop that runs to its end
            prints its last line.
        what : str
            What is counted.
        total : int or None, default=None
            How many there will be; None where only the end of the loop tells.
        size : callable or None, default=None
            For how many an item counts; one by default.

        Returns
        -------
        iterable
            The same items.
        """
        return self._watch(items, what, total, size) if self.verbose else items

    def _watch(
        self,
        items: Iterable[Item],
        what: str,
        total: int | None,
        size: Callable[[Item], int] | None,
    ) -> Iterator[Item]:
        done = shown = 0
        start = said = time.perf_counter()
        for item in items:
            yield item
            done += 1 if size is None else size(item)
            now = time.perf_counter()
            if self.verbose > 1 or _is_due(shown, done, total) or now - said >= _PATIENCE:
                self._say(what, done, total, now - start)
                shown, said = done, now
        if total is None or shown < total:
            self._say(what, done, total or done, time.perf_counter() - start)

    def _say(self, what: str, done: int, total: int | None, seconds: float) -> None:
        share = f"{done}" if total is None else f"{done} of {total}"
        print(f"[{self.name}] {what}: {share} after {seconds:.1f} s", flush=True)


SILENT = Progress("")


def _is_due(shown: int, done: int, total: int | None) -> bool:
    """Return whether a tenth more is done; without a total 1, 2, ... 10, 20, ... 100, 200, ..."""
    if total is not None:
        return _PARTS * done // total > _PARTS * shown // total
    unit = int(10 ** (len(str(done)) - 1))
    return done // unit > shown // unit
