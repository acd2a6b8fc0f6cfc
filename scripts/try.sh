#!/bin/sh
# try.sh GENERA FOLDER: the main job on the built-in iris data, each command shown before it runs.
set -eu
genera=$1
folder=$2
mkdir -p "$folder"
model=$folder/iris.json

show() { printf '\n\033[1m$ %s\033[0m\n' "$1"; }
[ -t 1 ] || show() { printf '\n$ %s\n' "$1"; }

# Columns of a CSV, probabilities to four digits.
aligned() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) printf "%-15s ", $i; print ""; next }
           { for (i = 1; i <= NF; i++) printf ($i ~ /^[0-9.e+-]+$/ ? "%-15.4g " : "%-15s "), $i; print "" }'
}

show "genera fit @iris --model qda -o $model"
"$genera" fit @iris --model qda -o "$model"

show "genera evaluate $model @iris"
"$genera" evaluate "$model" @iris

show "genera predict $model @iris --proba --keep species     # every 17th row"
"$genera" predict "$model" @iris --proba --keep species >"$folder/predictions.csv"
awk 'NR % 17 == 1' "$folder/predictions.csv" | aligned

if command -v gnuplot >/dev/null; then
  picture=$folder/regions.svg
  show "genera plot regions $model @iris -o $picture"
  "$genera" plot regions "$model" @iris -o "$picture"
  echo "The decision regions of the model: $picture (open it in a browser)"
else
  show "genera plot regions $model @iris --terminal"
  "$genera" plot regions "$model" @iris --terminal
  echo "For figures as svg, png or pdf, install gnuplot: apt-get install gnuplot-nox"
fi

echo
echo "The program is $genera. To call it genera in this shell:  export PATH=\"\$PWD/$(dirname "$genera"):\$PATH\""
echo "Good next steps: README.md, docs/tutorial.md, 'genera help', 'genera datasets'."
