# What is in files made to show a result.
alt-chart = Chart of the model's scores: { $labels }
alt-table = The first rows of a table ({ $what }) as a picture
alt-poster = First frame of a video ({ $what })
alt-depth = Depth: near things bright, far things dark
output-cut = The model returned too many items; these are the first { $count }.
sheet-read = Only the sheet “{ $sheet }” of { $file } was read, the first of { $count }.
