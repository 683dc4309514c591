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
embedded-no-answer = Nothing in the text fits the question.
embedded-answer-line = from the line “{ $line }”
embedded-says = The file says: “{ $line }”
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
embedded-table-unclear = I can't answer that from this table: I don't understand { $words }. The columns are: { $columns }.
embedded-table-which-column = I can't answer that from this table: please name one column. The columns are: { $columns }.
embedded-table-several-rows = { $rows } rows fit. Please ask for the sum, the average, the highest or the lowest of `{ $column }`, or name one row.
embedded-table-beyond = I can't answer that from this table. I can count, add up, average, group and filter rows, and find the highest or lowest. The columns are: { $columns }.
embedded-heard = English only; words can be wrong.
embedded-heard-partial = Time ran out, so this is only the first { $minutes } minutes.
embedded-gist = The most telling sentences, as they stand there.
embedded-summary = Made of the most telling sentences as they stand; nothing was rephrased.
embedded-summary-whole = The text is too short to be made shorter, so it stands here whole.
embedded-alike = This compares the words, not the meaning.
embedded-likest = The likest is: “{ $text }”
embedded-sound-unreadable = The recording cannot be read.
embedded-nothing-heard = No speech was understood in it.
embedded-faces = { $count ->
    [0] No face was found; only faces are looked for here.
    [1] One face was found; only faces are looked for here.
   *[other] { $count } faces were found; only faces are looked for here.
 }
embedded-faces-only = I can only find faces here, not { $wanted }. An admin can add a model that finds other things.
embedded-no-filter = None of the filters here fits. I have: { $filters }. An admin can add a model for other changes.
embedded-filtered = Filter: { $filters }.
embedded-large-already = Only pictures of at most { $side } pixels a side are made larger here.
embedded-english-only = I can judge the mood of English text only.
embedded-mood = English only; irony is not recognised.
embedded-not-classes = The column { $column } does not hold classes to be learnt (at least two, each several times).
embedded-not-figures = The column { $column } does not hold figures.
embedded-no-column = There is no column { $column }; there are: { $columns }.
embedded-few-rows = Only { $rows } rows have a known value; at least { $needed } are needed to learn from.
embedded-no-features = No other column can be learnt from.
embedded-classified = Right for { $percent } % of { $rows } rows that it had not seen (95 % interval { $low } to { $high } %); always saying the commonest class would be right for { $usual } %.
embedded-regressed = Off by { $off } on average on { $rows } rows that it had not seen (95 % interval { $low } to { $high }); R² { $explained }.
embedded-held-out = Predicted: { $column }. Rows with a known value were predicted without seeing that value. Gaps filled: { $filled }.
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
embedded-no-cleaning = I can't do this to a sound here. I can reduce steady noise or hum, remove the voice from stereo music, even out the loudness, and lower or raise the pitch. An admin can add a model that does more.
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
