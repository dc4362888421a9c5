# What bench_r.py asks R to do. A line "work data calls" is answered by one line: the CPU seconds of
# a call, and the values. concordance() itself merges near times whatever timefix says, so the calls
# go to the function below it. Command: python tests/benchmarks/bench_r.py
suppressMessages({
  library(survival)
  library(prodlim) # pec does not find its Hist by itself
})
folder <- commandArgs(trailingOnly = TRUE)[1]

# Column k of predictions holds survival at the time of the same place in `times`.
scores <- function(d, metric, with_error) {
  score <- riskRegression::Score(
    list(a = 1 - d$curves), Surv(time, event) ~ 1, data = d$rows, times = d$times,
    metrics = metric, se.fit = with_error, conf.int = with_error, null.model = FALSE,
    contrasts = FALSE, cens.model = "km"
  )[[c(brier = "Brier", auc = "AUC")[metric]]]$score
  c(score[[c(brier = "Brier", auc = "AUC")[metric]]], if (with_error) score$se)
}

works <- list(
  concordance_error = function(d) {
    fit <- concordancefit(
      Surv(d$rows$time, d$rows$event), d$rows$prediction, timefix = FALSE
    )
    c(fit$concordance, sqrt(fit$var))
  },
  concordance_alone = function(d)
    concordancefit(
      Surv(d$rows$time, d$rows$event), d$rows$prediction, timefix = FALSE, std.err = FALSE
    )$concordance,
  concordance_ipcw = function(d)
    concordancefit(
      Surv(d$rows$time, d$rows$event), d$rows$prediction,
      timewt = "n/G2", timefix = FALSE, std.err = FALSE
    )$concordance,
  rcorr_cens = function(d) {
    found <- Hmisc::rcorr.cens(d$rows$prediction, Surv(d$rows$time, d$rows$event))
    c(found[["C Index"]], found[["S.D."]] / 2)
  },
  survfit = function(d) {
    fit <- survfit(Surv(time, event) ~ 1, data = d$rows, timefix = FALSE)
    at <- seq(1, length(fit$surv), length.out = 20)
    c(fit$surv[at], (fit$std.err * fit$surv)[head(at, -1)])
  },
  pec = function(d)
    pec::pec(
      list(a = cbind(1, d$curves)), Surv(time, event) ~ 1, data = d$rows, times = d$times,
      exact = FALSE, start = 0, cens.model = "marginal", reference = FALSE, verbose = FALSE
    )$AppErr$a[-1],
  score_brier = function(d) scores(d, "brier", FALSE),
  score_brier_error = function(d) scores(d, "brier", TRUE),
  score_auc = function(d) scores(d, "auc", FALSE),
  score_auc_error = function(d) scores(d, "auc", TRUE),
  psy = function(d) psy::wkappa(d$rows)$kappa,
  psych = function(d) {
    found <- psych::cohen.kappa(d$rows)
    c(found$weighted.kappa, sqrt(found$var.weighted))
  },
  vcd = function(d) {
    found <- vcd::Kappa(table(d$rows), weights = "Fleiss-Cohen")$Weighted
    unname(found)
  },
  interval2 = function(d) {
    fit <- survfit(Surv(lower, upper, type = "interval2") ~ 1, data = d$rows)
    c(1, fit$surv)[findInterval(d$times, fit$time) + 1]
  }
)

read_data <- function(name) {
  rows <- read.csv(file.path(folder, paste0(name, ".csv")))
  if (!is.null(rows$event)) rows$event <- rows$event == 1
  times <- file.path(folder, paste0(name, "_times.csv"))
  curve <- grep("^at", names(rows))
  list(
    rows = rows[setdiff(seq_along(rows), curve)], curves = unname(as.matrix(rows[curve])),
    times = if (file.exists(times)) read.csv(times)$times
  )
}

answer <- function(values) {
  cat(formatC(values, digits = 17, format = "g"), "\n")
  flush(stdout())
}

data <- list()
requests <- file("stdin", "r")
while (length(line <- readLines(requests, 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  if (is.null(data[[words[2]]])) data[[words[2]]] <- read_data(words[2])
  d <- data[[words[2]]]
  calls <- as.integer(words[3])
  start <- proc.time()
  for (i in seq_len(calls)) value <- works[[words[1]]](d)
  seconds <- sum((proc.time() - start)[1:2]) / calls
  answer(c(seconds, value))
}
