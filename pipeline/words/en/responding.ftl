# The answer that is written without a language model.
respond-sure = I am very sure of that.
respond-fairly = I am fairly sure of that.
respond-unsure = I am not sure of that, so please check.
respond-is = { $subject } is { $found }
respond-label = Most likely { $label }.
respond-also = Less likely: { $labels }.
respond-alike = They are { $percent } % alike.
respond-things = I found { $things }.
respond-and = { $most } and { $last }
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
respond-which = { $kind } ({ $what })
respond-failed = { $kind } did not work: { $reason }
respond-none = { $kind }: { $reason }
respond-skipped = { $kind } was not begun, because { $because } did not work.
respond-stopped = { $kind } was stopped.
respond-how = I used { $steps }.
respond-step = { $model } ({ $place ->
    [embedded] built in
    [llm] language model
   *[other] { $place }
 }) for { $kind }
respond-nothing = Nothing was done.
respond-entity-per = person
respond-entity-org = organisation
respond-entity-loc = place
respond-entity-misc = name
