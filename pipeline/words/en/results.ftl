# What is in files made to show a result.
alt-chart = Chart of how sure the model is: { $labels }
alt-table = The first rows of a table ({ $what }) as a picture
alt-poster = First picture of a film ({ $what })
alt-depth = How far away things are: near ones bright, far ones dark
alt-subtitles = Subtitles: what is said, with times

# Words by which people ask that something be done again: not shown, only recognised.
words-for-again = again | once more | redo | afresh
output-cut = The model answered more than I keep; the first { $count } items are here.
