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
embedded-spoken = Read by a robotic voice ({ $language }).
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
