# Experts: what went wrong with one.
expert-loading = { $model } is still loading.
expert-busy = { $model } is overloaded at the moment.
expert-broken = { $model } failed (status { $status }).
expert-unreachable = { $model } could not be reached.
expert-key-refused = The access key for { $model } was refused.
expert-credit-used-up = The account has no credit left for { $model }.
expert-access-refused = This account may not use { $model }; you may have to accept its licence first.
expert-model-gone = { $model } no longer exists there.
expert-input-refused = { $model } rejected this input.
expert-garbled = { $model } sent an answer that can't be read.
expert-answer-too-large = { $model } sent more than { $megabytes } MB, so its answer was not used.
expert-not-on-the-wire = Models for { $kind } can't be called over the network.
expert-input-type = { $model } doesn't take this type of file for { $kind }.
expert-input-missing = { $kind } needs “{ $slot }”, which is missing.
expert-one-sentence = Comparing needs at least two texts.
expert-table-unfit = The table is empty or has more than { $cells } cells.
local-language-unknown = Model { $model } does not know the language { $language }.

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = There was no text to work with.
embedded-no-file = There was no file to work with.
embedded-file-type = This type of file isn't supported here.
embedded-spoken = Read by a synthetic voice in { $language }.
embedded-spoken-cut = Only the first { $characters } characters were read.
embedded-spoke-nothing = This text contains nothing that can be pronounced.
embedded-no-voice = There is no built-in voice for “{ $language }”.
embedded-voice-unable = The { $language } voice can't read these characters: { $characters }
embedded-picture-too-large = The picture has too many pixels.
embedded-picture-unreadable = The picture can't be opened.
embedded-no-text = No text was found.
embedded-read-badly = The text was hard to read, so parts of it may be wrong.
embedded-document-empty = The document is empty.
embedded-document-cut = Only the first { $characters } characters were used.
embedded-document-broken = The document is damaged and can't be read.
embedded-document-too-large = The document is too large.
embedded-document-unknown = This type of document isn't supported here. Supported: PDF, Word (docx), PowerPoint (pptx), OpenDocument, EPUB, e-mail, calendars, spreadsheets, HTML, CSV and plain text.
embedded-pdf-locked = The PDF is password-protected.
embedded-pdf-broken = The PDF is damaged and can't be read.
embedded-pages-cut = The document has { $pages } pages; the first { $read } were read.
embedded-pages-scanned = { $pages ->
    [one] One scanned page was
   *[other] { $pages } scanned pages were
 } read by text recognition, which can make mistakes.
embedded-columns-mixed = Text in columns may be mixed up.
embedded-scans-left = { $pages ->
    [one] One more scanned page was
   *[other] { $pages } more scanned pages were
 } not read.
embedded-table-empty = The table has no rows.
embedded-no-answer = Nothing in the text fits the question.
embedded-answer-line = from the line “{ $line }”
embedded-says = The file says: “{ $line }”
embedded-says-part = The file says: “{ $line }”. I found nothing on “{ $words }”.
embedded-closest = I don't see a clear answer. These lines come closest: { $lines }
embedded-part = { $question } → { $answer }
embedded-part-refused = { $question } → not answered: { $answer }
embedded-table-grouped = { $operation }, for each `{ $group }`
embedded-table-operation =
    { $op ->
        [sum] sum of `{ $column }`
        [mean] average of `{ $column }`
        [median] median of `{ $column }`
        [max] highest `{ $column }`
        [min] lowest `{ $column }`
        [distinct] number of different `{ $column }`
        [lookup] `{ $column }`
       *[count] number of rows
    }{ $where ->
        [none] , { $rows ->
            [one] 1 row
           *[other] { $rows } rows
        }
       *[other] , { $rows ->
            [one] 1 row
           *[other] { $rows } rows
        } where { $where }
    }
embedded-table-unclear = I can't answer that from this table: I don't understand “{ $words }”. The columns are: { $columns }.
embedded-table-which-column = I can't answer that from this table. Please name one column. The columns are: { $columns }.
embedded-table-not-numbers = I can't calculate with `{ $column }`: its values aren't all numbers, or a number can be read in two ways (1.234).
embedded-table-several-rows = { $rows } rows fit. Please ask for the sum, the average, the highest or the lowest of `{ $column }`, or name one row.
embedded-table-beyond = I can't answer that from this table. I can count, add up, average, group and filter rows, and find the highest or lowest. The columns are: { $columns }.
embedded-heard = English only; words can be wrong.
embedded-heard-partial = Time ran out, so this covers only the first { $minutes } minutes.
embedded-gist = The most important sentences, word for word.
embedded-summary = Made of the most important sentences, word for word.
embedded-summary-whole = too short to summarise, so this is all of it
embedded-alike = compares the words, not the meaning
embedded-sound-unreadable = The recording can't be read.
embedded-nothing-heard = No speech was recognised.
embedded-faces = { $count ->
    [0] No face was found; only faces are looked for here.
    [1] One face was found; only faces are looked for here.
   *[other] { $count } faces were found; only faces are looked for here.
 }
embedded-faces-only = I can only find faces here, not { $wanted }. An admin can add a model that finds other things.
embedded-no-filter = I have no filter for that. Available: { $filters }. An admin can add a model for other changes.
embedded-whole-picture = I can only change a whole picture, not a part of it. An admin can add a model for that.
embedded-filtered = Filter on the whole picture: { $filters }.
embedded-filter =
    { $name ->
        [colour-pencil-sketch] colour pencil sketch
        [pencil-sketch] pencil sketch
        [cartoon] cartoon
        [painting] painting
        [black-and-white] black and white
        [sepia] sepia
        [denoise] less noise
       *[blur] blur
        [sharpen] sharpen
        [negative] negative
        [upscale] twice the size
        [smooth] smooth
        [brighter] brighter
        [darker] darker
        [more-contrast] more contrast
    }
embedded-large-already = Only pictures up to { $side } pixels on each side can be enlarged here.
embedded-english-only = I can only judge the mood of English text.
embedded-mood = the mood of the English words; irony is not recognised
embedded-not-classes = The column { $column } has no classes to learn from (at least two are needed, each several times).
embedded-no-column = There is no column { $column }. The columns are: { $columns }.
embedded-few-rows = Only { $rows } rows have a known value; at least { $needed } are needed.
embedded-no-features = No other column can be used for predicting.
embedded-classified = Correct for { $percent } % of { $rows } rows it was not trained on; always choosing the most common class would be correct for { $usual } %.
embedded-regressed = Off by { $off } on average for { $rows } rows it was not trained on; R² { $explained }.
embedded-held-out = Predicted: { $column }. Rows with a known value were predicted without using it. Gaps filled: { $filled }.
embedded-column-guessed = You named no column, so the last one ({ $column }) was used.
embedded-can-files = I can resize, crop, rotate, flip, cut from one time to another, change the speed, take a still or the sound, compress, or convert to another type.
embedded-converted =
    { $op ->
        [resize] Resized to fit into { $one } px.
        [scale] Scaled to { $percent } %.
        [crop] Cropped to { $one } px.
        [aspect] Cropped to the shape { $one }.
        [rotate] Turned clockwise by { $one }°.
        [flip] Mirrored.
        [keep] Kept from { $one } s to { $two } s.
        [keep_end] Kept the last { $one } s.
        [drop] Left out the first { $one } s.
        [speed] Played at { $percent } % of the speed.
        [type] Converted to { $ending }.
        [poster] Took a still.
        [sound] Took the sound.
        [strip] Removed metadata such as place and camera.
        [frames] Took a frame every { $one } s.
        [mute] Took away the sound.
        [louder] Made louder.
        [quieter] Made quieter.
       *[smaller] Compressed.
    }
embedded-not-for-pictures = That only works with recordings and videos, not with a picture.
embedded-nothing-left = Nothing was left after cutting; the file may be shorter than that.
embedded-no-sound = The video has no sound.
embedded-too-long = The file is too long.
embedded-film-unreadable = The file is damaged or its type isn't supported.
embedded-no-cleaning = I can't do that to a recording. I can reduce steady noise or hum, remove the voice from stereo music, even out the loudness, and lower or raise the pitch. An admin can add a model that does more.
embedded-no-noise = There is hardly any steady noise, so nothing was removed.
embedded-not-stereo = A voice can only be removed from a stereo recording, and both sides of this one are the same.
embedded-sound-noise = Steady noise was reduced. Sudden noises, other voices and echo remain.
embedded-sound-hum = Mains hum (50 and 60 Hz with overtones) was filtered out.
embedded-sound-voice = The middle of the stereo image was removed, which is usually where the voice is; traces of it can remain, and drums in the middle get weaker.
embedded-sound-loudness = The loudness was set to −16 LUFS, the usual level for speech on the web.
embedded-sound-lower = The pitch is four semitones lower; this is a filter, not another person's voice.
embedded-sound-higher = The pitch is four semitones higher; this is a filter, not another person's voice.
expert-job-failed = { $model } gave up.
expert-result = { $model } made a file that could not be downloaded: { $problem }
embedded-order-unclear = I don't understand “{ $words }”, so nothing was done. { $can }
embedded-order-empty = I didn't understand what to do. { $can }
embedded-can-pages = With a PDF or pictures I can: merge, split, take out or remove pages, rotate, reverse the order, compress, make pictures of pages or one PDF of pictures.
embedded-can-tables = With a table I can: sort it, filter rows, keep or remove columns, and save it as CSV, Excel (xlsx) or JSON.
embedded-can-charts = From a table I can draw a bar, line or pie chart or a scatter plot; name the columns as they are written.
embedded-pages-done =
    { $op ->
        [merged] Merged into one PDF with { $pages } pages.
        [split] Split into { $files } files.
        [drawn] Pages drawn as pictures: { $files }.
        [pictures] Pictures taken out: { $files }.
        [rotated] Pages turned.
        [dropped] Pages removed.
        [reversed] The order of the pages is reversed.
        [smaller] Compressed; its pictures are less sharp.
        [smaller-text] Compressed.
        [cleaned] Metadata such as author and program removed.
       *[pages] Pages taken out.
    }
embedded-pages-missing = There is no page { $page }: the document has { $pages }.
embedded-pages-range = These page numbers can't be read.
embedded-pages-of-which = Please merge first, then name the pages: I don't know which document they are meant for.
embedded-quarter-turns = Pages of a PDF can only be turned by 90, 180 or 270 degrees.
embedded-merge-one = There is only one document. Merging needs at least two.
embedded-no-pictures = There are no pictures in the document.
embedded-nothing-left-of-pages = No page would be left. Please name the pages to remove.
embedded-no-smaller = The PDF can't be made noticeably smaller.
embedded-too-many-files = That would make { $files } files; at most { $limit } are possible. Please name fewer pages.
embedded-no-rows-fit = No row fits.
embedded-table-written = { $rows ->
        [one] One row
       *[other] { $rows } rows
    }{ $where ->
        [none] {""}
       *[other] {" "}{ $not ->
            [yes] without
           *[no] with
        } { $where }
    }{ $sorted ->
        [none] {""}
       *[other] , sorted by { $sorted } ({ $order ->
            [descending] descending
           *[ascending] ascending
        })
    }, as { $ending }.
embedded-charted = { $op ->
        [sum] Sum of { $values } for each { $over }
        [mean] Average of { $values } for each { $over }
        [median] Median of { $values } for each { $over }
        [count] Number of rows for each { $over }
       *[other] { $values } over { $over }
    }, from { $rows } rows{ $where ->
        [none] .
       *[other] {" "}({ $where }).
    }
embedded-no-font = Some characters can't be drawn here, because no font for them is installed.
embedded-chart-columns = I can't tell which columns to draw. Please name one with numbers and the one for the labels. The columns are: { $columns }.
embedded-chart-two-columns = A scatter plot needs two columns with numbers. The columns are: { $columns }.
embedded-chart-too-large = That is too much for one chart: at most { $series } columns and { $places } labels are possible.
embedded-pie-slices = A pie chart with { $slices } slices can't be read; at most { $limit } are possible.
embedded-pie-negative = A pie chart needs positive numbers.
embedded-first-frame = The picture has { $frames } frames or pages; only the first was used.
