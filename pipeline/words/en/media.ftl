# Worker processes, and files that cannot be read, converted or made smaller.
worker-lost = The process working on this crashed.
worker-out-of-memory = This needed more memory than allowed.
media-empty = The file is empty (0 bytes).
media-blank = The file contains only blank space.
media-too-large = The file is { $size } MB; at most { $limit } MB can be read.
media-broken = The file is damaged or incomplete, so its content ({ $kind }) can't be read.
media-mislabelled = Its name ends in { $ending }, but it contains { $found }.
media-is-page = a web page
media-is-text = text
media-too-many-pixels = The picture has { $size } pixels; the limit is { $limit } megapixels.
media-too-many-frames = The animation has { $frames } frames; the limit is { $limit }.
media-bomb = The file would unpack to { $size } MB, so it was not opened.
media-encrypted = The file is password-protected. Please send it without a password.
media-archive = Archives aren't supported. Please send the files in it one by one.
media-unknown = This type of file isn't supported.
media-too-slow = Reading the file took longer than { $seconds } s and was stopped.
media-lost = The file could not be read. { $problem }
media-needs-ffmpeg = Sound and video can't be converted here: that needs ffmpeg, which comes with the extra [embedded].
media-no-conversion = A { $source } file can't be converted to { $target }.
media-no-such-stream = The file has no sound or no picture to extract.
media-cannot-shrink = The file can't be made smaller than { $limit } MB.
media-sheet-too-large = The sheet “{ $sheet }” has more than { $rows } rows or { $cells } cells.
media-no-pages = “{ $file }” has no pages to work with; only PDFs and pictures have.
media-too-many-pages = The PDF has { $pages } pages; at most { $limit } are possible.
media-encoding-unknown = Which encoding this text is written in is not certain. Please save it as UTF-8 and send it again.
parts-unread = Not read: { $parts }.
unused-pictures = { $count ->
        [one] one picture
       *[other] { $count } pictures
    }
unused-charts = { $count ->
        [one] one chart
       *[other] { $count } charts
    }
unused-comments = comments
unused-macros = macros
unused-attachments = { $count ->
        [one] one attached file
       *[other] { $count } attached files
    }
unused-mail-files = { $count ->
        [one] one attachment
       *[other] { $count } attachments
    } ({ $names })
rows-cut = Only the first { $read } of { $rows } rows were used.
formulas-calculated = { $count ->
        [one] One formula had no stored result and was
       *[other] { $count } formulas had no stored results and were
    } calculated here.
formulas-unknown = { $count ->
        [one] One formula has no stored result and was
       *[other] { $count } formulas have no stored results and were
    } read as empty. Open the file in Excel or LibreOffice, save it and send it again.
media-no-table = There is no table in this file.
media-old-office = Word, PowerPoint and Outlook files from before 2007 aren’t supported. Please save it as docx, pptx or PDF.
media-rich-text = RTF files aren’t supported. Please save it as docx or PDF.
unused-and = { $one }, { $more }
notes-together = { $one } { $more }
