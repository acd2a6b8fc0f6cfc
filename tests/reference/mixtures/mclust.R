# Log-likelihoods of mixtures by mclust, to compare with.
#   Rscript tests/reference/mixtures/mclust.R > tests/reference/mixtures/mclust.csv
# R's package mclust at its own options (starts from model-based hierarchical clustering), and again with a
# finer tolerance; the larger of the two is what counts. Structures: qda = VVV, lda = EEE, gnb = VVI, spherical = VII of
# columns divided by their standard deviations (divisor n), with the Jacobian.
# rows: those of the lightest component (its expected number). spread: the least variance of a component in any direction (any
# column for gnb, on average for spherical), as a part of that of all rows. converged: the smaller the gain of the finer
# tolerance, the more there was a maximum.
suppressMessages(library(mclust))

sets <- list(iris = "species", faithful_unlabelled = NULL, crabs = "group", wine = "cultivar",
             diabetes_chemical = "class", vowel_train = "vowel", liver_bupa = "selector",
             pima_train = "diabetes", breast_cancer = "diagnosis")
models <- c(qda = "VVV", lda = "EEE", gnb = "VVI", spherical = "VII")
most <- list(breast_cancer = 3)

spread <- function(model, parameters, s) {
  variance <- parameters$variance
  if (model == "VII") return(min(variance$sigmasq) / mean(diag(s)))
  sigma <- variance$sigma
  least <- apply(sigma, 3, function(one) {
    if (model == "VVI") min(diag(one) / diag(s)) else min(eigen(solve(s, one), only.values = TRUE)$values |> Re())
  })
  min(least)
}

cat("data,covariance,components,log_likelihood,at_default,rows,spread\n")
for (name in names(sets)) {
  x <- read.csv(file.path("data", paste0(name, ".csv")))
  x <- as.matrix(x[, setdiff(names(x), sets[[name]])])
  n <- nrow(x)
  sd <- sqrt(colMeans(sweep(x, 2, colMeans(x))^2))
  for (family in names(models)) {
    y <- if (family == "spherical") sweep(x, 2, sd, "/") else x
    jacobian <- if (family == "spherical") n * sum(log(sd)) else 0
    s <- cov(y) * (n - 1) / n
    for (m in 1:(if (is.null(most[[name]])) 9 else most[[name]])) {
      one <- function(tol) tryCatch(Mclust(y, G = m, modelNames = if (m == 1) sub("VII", "XII", sub("VVI", "XXI", sub("VVV|EEE", "XXX", models[[family]]))) else models[[family]], verbose = FALSE,
                    control = emControl(tol = tol, itmax = c(20000, 20000))), error = function(e) NULL)
      usual <- one(c(1e-5, sqrt(.Machine$double.eps)))
      if (is.null(usual) || is.na(usual$loglik)) next
      fine <- one(c(1e-12, sqrt(.Machine$double.eps)))
      best <- if (is.null(fine) || is.na(fine$loglik) || fine$loglik < usual$loglik) usual else fine
      rows <- if (m == 1) n else min(colSums(best$z))
      wide <- if (m == 1) 1 else spread(models[[family]], best$parameters, s)
      cat(sprintf("%s,%s,%d,%.6f,%.6f,%.3f,%.4g\n", name, family, m, best$loglik - jacobian,
                  usual$loglik - jacobian, rows, wide))
    }
  }
}
