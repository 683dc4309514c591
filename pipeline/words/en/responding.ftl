# The answer that is written without a language model.
respond-label = Most likely { $label }.
respond-also = Less likely: { $labels }.
respond-alike = They are { $percent } % similar.
respond-source = **{ $value }** ({ $source })
respond-things = I found { $things }.
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
respond-failed = { $kind } didn't work: { $reason }
respond-none = { $kind }: { $reason }
respond-skipped = { $kind } was skipped, because it depends on a step that didn't work: { $because }.
respond-stopped = { $kind } was stopped.
respond-unused = Not supported by { $model }, so left out: { $names }.
listed = { $names }, { $name }
respond-nothing = I couldn't do that.
compared-first = **A** · { $model } (earlier)
compared-second = **B** · { $model } (new)
label-per = person
label-person = person
label-org = organisation
label-organization = organisation
label-loc = place
label-gpe = place
label-location = place
label-misc = name
# What was changed in an answer.
history-unread = I couldn't read the earlier messages here in time.
check-struck =
    { $count ->
        [one] A link or file name that isn't in the results was removed from this answer.
       *[other] { $count } links or file names that aren't in the results were removed from this answer.
    }
answer-cut = The answer was longer than { $count } characters and was cut.
answer-unfinished = This text isn't complete: the model stopped early. Write “go on” for the rest.
# Moods as experts for voices shorten them.
label-ang = angry
label-hap = happy
label-neu = neutral
label-fea = fearful
label-dis = disgusted
label-sur = surprised
label-exc = excited
label-fru = frustrated
