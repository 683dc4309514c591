# The answer that is written without a language model.
respond-found = { $found }
respond-found-sure = { $found } (very sure)
respond-found-fairly = { $found } (fairly sure)
respond-found-unsure = { $found } (not sure)
respond-found-nothing = Nothing was found.
respond-made-image =
    { $count ->
        [one] Here is the picture.
       *[other] Here are the { $count } pictures.
    }
respond-made-audio =
    { $count ->
        [one] Here is the recording.
       *[other] Here are the { $count } recordings.
    }
respond-made-video =
    { $count ->
        [one] Here is the video.
       *[other] Here are the { $count } videos.
    }
respond-made-document =
    { $count ->
        [one] Here is the document.
       *[other] Here are the { $count } documents.
    }
respond-made-table =
    { $count ->
        [one] Here is the table.
       *[other] Here are the { $count } tables.
    }
respond-failed = { $kind } did not work: { $reason }
respond-skipped = { $kind } was not begun, because { $because } did not work.
respond-stopped = { $kind } was stopped.
respond-how = How: { $steps }.
respond-step = { $model } ({ $place }) for { $kind }
respond-nothing = Nothing was done.
