# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = Hello! Send me a file or a text, and tell me what you would like done with it.
planner-welcome = You're welcome!
planner-about = I plan steps for AI models and run them, on pictures, recordings, videos, documents, tables and texts. Send a file and say what you would like, for example “What does it say?”. The command “tasks” shows what works here. Without a language model I understand requests, but I can't chat.
planner-no-talk = Without a language model I can't chat or answer general questions. I work on pictures, recordings, videos, documents, tables and texts: the command “tasks” lists what I can do.
planner-turn-on = You can turn a language model on: [Do more](#/setup).
planner-outside = I can't do that. I work on pictures, recordings, videos, documents, tables and texts: the command “tasks” lists what I can do.
planner-not-done = Not done: “{ $words }”. I can't do that.
planner-empty = Your message is empty. Tell me what you would like, and attach a file if it's about one.
planner-empty-with-files = What would you like me to do with that?
planner-unsure = I'm not sure what you would like me to do. Could you put it another way?
planner-unread = Without a language model I understand English, German, French, Spanish, Japanese and Chinese. Could you use one of these?
planner-unsure-files = I'm not sure what you would like me to do with that. Could you put it another way?
planner-unsure-order = Which order would you like: “{ $first }” first, then “{ $second }”? I can also do just one of them.
planner-which = Which one do you mean: { $names }?
planner-undo = Every version is kept, so nothing is lost. Tell me which file to continue from, for example “the original”.
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
        [sentences] something to compare it with
        [language] the language
       *[other] the text
    }. Could you add it?
planner-absent-name = I don't see a file called “{ $name }” here. Could you send it?
planner-no-file-usable =
    { $count ->
        [one] I could not use the file you sent, so I did nothing. Could you send it again, or another one?
       *[other] I could not use any of the files you sent, so I did nothing. Could you send them again, or others?
    }
