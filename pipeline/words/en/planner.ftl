# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = Hello! Send me a file or a text, and tell me what you would like done with it.
planner-welcome = You're welcome!
planner-about = I plan tasks for AI models and run them: describe, read, find things in and change pictures; write down, clean or read aloud speech; summarise, translate and answer questions about texts, documents and tables. Send a file and say what you would like. Without a language model I understand requests, but I cannot chat.
planner-no-talk = Without a language model I cannot chat or answer from general knowledge. Tell me what to do with a text, picture, sound or document, and I will.
planner-empty = That message holds nothing. Tell me what you would like, with a file if it is about one.
planner-empty-with-files = What would you like me to do with that?
planner-unsure = I am not sure what you would like me to do. Could you say it in other words?
planner-unread = Without a language model I understand English, German, Spanish, French, Italian, Portuguese, Dutch, Russian, Turkish, Chinese, Japanese and Korean. Could you say it in one of these?
planner-unsure-files = I am not sure what you would like me to do with that. Could you say it in other words?
planner-unsure-order = Which order would you like: “{ $first }” first, then “{ $second }”? I can also do just one of them.
planner-lacks-file =
    I need { $type ->
        [image] a picture
        [audio] a recording
        [video] a video
        [document] a document
        [table] a table
       *[other] a file
    } for that. Could you send it?
planner-lacks-text =
    Your message lacks { $slot ->
        [question] the question
        [labels] the labels to choose from
        [sentences] the texts to compare
        [language] the language
       *[other] the text
    }. Could you add it?
planner-absent-type =
    I see no { $type ->
        [image] picture
        [audio] recording
        [video] video
        [document] document
        [table] table
       *[other] file
    } here. Could you send it?
planner-absent-name = I see no file “{ $name }” here. Could you send it?
planner-only-one = I see only one of them here. Could you send the other, too?
planner-no-file-usable =
    { $count ->
        [one] I could not use the file you sent, so I did nothing. Could you send it again, or another one?
       *[other] I could not use any of the files you sent, so I did nothing. Could you send them again, or others?
    }
