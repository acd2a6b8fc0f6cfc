#!/bin/sh
# gallery.sh GENERA FOLDER: draws the figures of docs/gallery and the page that shows them.
set -eu
genera=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
page=$folder/README.md

cat >"$page" <<'PAGE'
# Gallery

Every kind of figure, with the command that draws it. `make gallery` made this page; [figures.md](../figures.md) explains the kinds and their options.
The models and tables behind them:

PAGE

prepare() {
  printf '    genera %s\n' "$*" >>"$page"
  "$genera" "$@" --quiet
}
keep() {  # FILE COMMAND...: the output as a file
  file=$1
  shift
  printf '    genera %s > %s\n' "$*" "$file" >>"$page"
  "$genera" "$@" --quiet >"$file"
}
draw() {  # NAME WORDS KIND...
  name=$1 words=$2
  shift 2
  "$genera" plot "$@" -o "$folder/$name.png" --width 640 --quiet
  printf '\n## %s\n\n    genera plot %s -o %s.svg\n\n![%s](%s.png)\n' "$words" "$*" "$name" "$words" "$name" >>"$page"
}

prepare fit @iris --model qda -o iris.json
prepare fit @iris --model logistic -o softmax.json
prepare fit @penguins --drop year --model qda -o penguins.json
prepare fit @penguins --target sex --drop year -o sex.json
prepare fit @vowel_train --model qda -o vowel.json
prepare fit @vowel_train --model mda -o mixtures.json
prepare fit @notes3b --model qda -o notes3b.json
prepare sample iris.json -n 200000 -o flowers.csv
prepare fit @sonar --model dlda -o sonar.json
keep needed.json compare --from sonar.json --pairs dlda --dimensions 2,4,8,16,32,60 --ridge 1 --repeats 20 --json
keep compare.json compare @iris --json
keep select.json select @wine --models rda --json
keep cluster.json cluster @faithful_unlabelled --json

draw scatter "The data by class" scatter @iris
draw regions "Decision regions, boundaries, ellipses, misclassified rows" regions iris.json @iris --x sepal_length --y petal_length
draw softmax "Softmax regression has straight boundaries" regions softmax.json @iris --x sepal_length --y petal_length
draw penguins "The two features that separate best, chosen by itself" regions penguins.json @penguins
draw sex "Two classes that overlap: regions are pale where the model is in doubt" regions sex.json @penguins
draw density "Densities as contours" density iris.json
draw surface "The density as a surface" density iris.json --surface
draw by-class "Two class densities meet in a quadratic curve" density notes3b.json --by-class
draw area "The probability of an interval as an area" density iris.json --x sepal_length --between 5:6
draw solid "Three features" density iris.json @iris --x sepal_length --y sepal_width --z petal_length
draw posterior "One feature: the data, the densities, and the posteriors below" posterior iris.json @iris --x petal_length
draw predictions "The data by prediction, with the Gaussians" predictions notes3b.json @notes3b
draw samples "Rows drawn from the model beside the data" samples iris.json @iris
draw pairs "All pairs of features" pairs iris.json @iris
draw canonical "Canonical variates of eleven classes" canonical vowel.json @vowel_train
draw mixtures "Several Gaussians in each class" regions mixtures.json @vowel_train --x x1 --y x2
draw confusion "Rows by truth and prediction" confusion vowel.json @vowel_test
draw reliability "Whether the probabilities are what they say" reliability vowel.json @vowel_test
draw roc "ROC curves, each class against the others" roc vowel.json @vowel_test
draw curves "Learning curves: generative against discriminative" curves compare.json
draw needed "Rows needed against the number of columns" needed needed.json
draw path "The grid of regularised discriminant analysis" path select.json
draw bic "How many groups there are" bic cluster.json
draw features "What speaks for each class" features penguins.json
draw many "200,000 points are one image" regions iris.json flowers.csv
