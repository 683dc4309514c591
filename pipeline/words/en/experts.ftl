# Experts: what went wrong with one.
expert-loading = { $model } is still being loaded.
expert-busy = { $model } has too much to do at the moment.
expert-broken = { $model } broke down (status { $status }).
expert-unreachable = { $model } could not be reached.
expert-key-refused = The access key for { $model } was refused.
expert-credit-used-up = The account's credit for { $model } is used up.
expert-access-refused = This account may not use { $model }; its licence may have to be accepted first.
expert-model-gone = { $model } does not exist there (any more).
expert-input-refused = { $model } could not do anything with this input.
expert-garbled = { $model } answered something that cannot be read.
expert-answer-too-large = { $model } sent more than { $megabytes } MB, which was not taken.
expert-not-on-the-wire = Models for { $kind } are not reached over the network.
expert-input-type = { $model } does not take this type of file for { $kind }.
expert-input-missing = { $kind } needs something for “{ $slot }”, and there is nothing.
expert-one-sentence = At least two texts are needed to compare them.
expert-table-unfit = The table is empty or has more than { $cells } cells.

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = There was no text to work on.
embedded-no-file = There was no file to work on.
embedded-file-type = This type of file cannot be worked on here.
embedded-spoken = Read by a robotic voice in { $language }.
embedded-spoken-cut = Only the first { $characters } characters were read.
embedded-spoke-nothing = Nothing in this text can be pronounced.
embedded-no-voice = There is no built-in voice for “{ $language }”.
embedded-picture-too-large = The picture has too many pixels to be worked on here.
embedded-picture-unreadable = The picture cannot be opened.
embedded-no-text = No text was found in it.
embedded-read = Text recognised with { $percent } % certainty.
embedded-read-badly = It was hard to read, so parts may be wrong.
embedded-document-empty = The document is empty.
embedded-document-cut = Only the first { $characters } characters were taken.
embedded-document-broken = The document is damaged and cannot be read.
embedded-document-too-large = The document is too large to be read.
embedded-document-unknown = This kind of document cannot be read here; PDF, Word (docx), HTML, CSV and plain text can.
embedded-pdf-locked = The PDF is protected by a password.
embedded-pdf-broken = The PDF is damaged and cannot be read.
embedded-pages-cut = It has { $pages } pages; the first { $read } were read.
embedded-pages-scanned = { $pages } scanned pages were read as pictures, which can bring mistakes.
embedded-scans-left = { $pages } more scanned pages were left out.
embedded-table-empty = The table has no rows.
embedded-answer-from = Found in: “{ $line }”
embedded-no-answer = Nothing in the text fits the question.
embedded-gist = The most telling sentences, as they stand there.
embedded-summary = Made of the most telling sentences as they stand; nothing was rephrased.
embedded-summary-whole = The text is too short to be made shorter, so it stands here whole.
embedded-alike = This compares the words, not the meaning.
embedded-likest = The likest is: “{ $text }”
embedded-sound-unreadable = The recording cannot be read.
embedded-nothing-heard = No speech was understood in it.
embedded-heard = Written down by a small recogniser for English only, which was { $percent } % sure of its words on average.
embedded-heard-badly = Much of it may be wrong.
embedded-heard-cut = Only the first { $minutes } minutes were listened to.
embedded-faces = { $count ->
    [0] No face was found; only faces are looked for here.
    [1] One face was found; only faces are looked for here.
   *[other] { $count } faces were found; only faces are looked for here.
 }
embedded-faces-only = Only faces can be found here, not { $wanted }. A hosted model (HF_TOKEN) or an expert server (TROUPE_EXPERTS_URL) can find other things.
embedded-no-filter = None of the built-in filters fits. There are: { $filters }. Other changes need a hosted model (HF_TOKEN) or an expert server (TROUPE_EXPERTS_URL).
embedded-filtered = Filter: { $filters }.
embedded-large-already = Only pictures of at most { $side } pixels a side are made larger here.
embedded-control-lines = Lines were found by LSD, not by the M-LSD network.
embedded-control-soft = Edges were drawn from brightness gradients, not by the HED network.
embedded-english-only = The built-in sentiment list knows English only.
embedded-mood = Judged by a list of English words; irony escapes it.
embedded-reckoned = Reckoned from { $rows } rows (column: { $column }) by simple rules.
embedded-row = From the row “{ $row }”, found by simple rules.
embedded-guessed = The question names none of the columns, so “{ $column }” was taken.
embedded-not-classes = The column { $column } does not hold classes to be learnt (at least two, each several times).
embedded-not-figures = The column { $column } does not hold figures.
embedded-no-column = There is no column { $column }; there are: { $columns }.
embedded-few-rows = Only { $rows } rows have a known value; at least { $needed } are needed to learn from.
embedded-no-features = No other column can be learnt from.
embedded-classified = Right for { $percent } % of { $rows } rows that it had not seen (95 % interval { $low } to { $high } %); always saying the commonest class would be right for { $usual } %.
embedded-regressed = Off by { $off } on average on { $rows } rows that it had not seen (95 % interval { $low } to { $high }); R² { $explained }.
embedded-held-out = A random forest predicted { $column }; for rows with a known value the prediction comes from a forest that had not seen them. Gaps filled: { $filled }.
embedded-column-guessed = No column was named, so the last one ({ $column }) was taken.
embedded-no-conversion = I did not understand what to do with the file. Possible here: resize, crop, rotate, flip, cut from one time to another, change speed, take a still or the sound, compress, or convert to another type.
embedded-converted =
    { $op ->
        [resize] Resized to { $one } px.
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
        [mute] Took away the sound.
        [smaller] Compressed.
       *[volume] Volume set to { $percent } %.
    }
embedded-not-for-pictures = A picture cannot be worked on like this: { $what }.
embedded-nothing-left = After cutting nothing was left; the file may be shorter than that.
embedded-too-long = The file is too long to be worked on here.
embedded-film-unreadable = The file is damaged or of a type that cannot be worked on.
embedded-table-broken = The table is damaged and cannot be read.
embedded-no-cleaning = This cannot be done to a sound here. Possible: take out steady noise or hum, take the voice out of stereo music, even out the loudness, make the pitch lower or higher. An expert server (TROUPE_EXPERTS_URL) with a fitting model can do more.
embedded-no-noise = There is hardly any steady noise in it, so there was nothing to take out.
embedded-not-stereo = The voice can only be taken out of a stereo recording here, and this one is the same on both sides.
embedded-sound-noise = Steady noise was turned down (before, the sound stood { $decibels } dB above it). Sudden noises, other voices and echo stay.
embedded-sound-hum = The { $hertz } Hz hum of the mains was taken out.
embedded-sound-voice = What lies in the middle of the stereo picture was taken out, which is where voices mostly are; traces of the voice can stay, and drums in the middle get weaker.
embedded-sound-loudness = The loudness was set to −16 LUFS, as usual for speech on the web.
embedded-sound-lower = The pitch is four semitones lower; this is a filter, not another person's voice.
embedded-sound-higher = The pitch is four semitones higher; this is a filter, not another person's voice.
expert-client-changed = The installed huggingface_hub { $version } has no { $part }, without which this provider cannot be asked; install the version of the lock file.
expert-job-failed = { $model } gave up on it.
expert-result = { $model } made something that could not be fetched: { $problem }
