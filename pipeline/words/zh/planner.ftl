# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = 你好！发给我一个文件或一段文字，告诉我你想怎么处理。
planner-welcome = 不客气！
planner-about = 我为 AI 模型规划步骤并运行它们，处理图片、录音、视频、文档、表格和文本。发一个文件并说出你的要求即可，例如“上面写了什么？”。命令“tasks”会显示这里能做什么。没有语言模型时，我能听懂请求，但不能聊天。
planner-no-talk = 没有语言模型，我不能闲聊，也不能回答一般问题。我可以处理图片、录音、视频、文档、表格和文字：命令“tasks”会列出我能做的事。
planner-turn-on = 你可以启用语言模型：[解锁更多功能](#/setup)。
planner-outside = 这个我做不到。我可以处理图片、录音、视频、文档、表格和文字：命令“tasks”会列出我能做的事。
planner-not-done = 未完成：“{ $words }”。这个我做不到。
planner-empty = 这条消息是空的。告诉我你想做什么；如果和文件有关，请附上文件。
planner-empty-with-files = 你想让我怎么处理它？
planner-unsure = 我不确定你想让我做什么。能换个说法吗？
planner-unread = 没有语言模型时，我能看懂中文、英语、德语、法语、西班牙语和日语。能用其中一种再说一遍吗？
planner-unsure-files = 我不确定你想让我怎么处理它。能换个说法吗？
planner-unsure-order = 按什么顺序：先“{ $first }”，再“{ $second }”？也可以只做其中一项。
planner-which = 你指的是哪一个：{ $names }？
planner-undo = 所有版本都还在。告诉我接着处理哪个文件，例如“原图”。
planner-lacks-file =
    我需要{ $type ->
        [image] 一张图片
        [audio] 一段录音
        [video] 一段视频
        [document] 一份文档
        [table] 一个表格
       *[other] 一个文件
    }。能发给我吗？
planner-lacks-text =
    你的消息里还缺{ $slot ->
        [question] 问题
        [labels] 可选的标签
        [sentences] 用来比较的内容
        [language] 语言
       *[other] 文本
    }。能补充一下吗？
planner-absent-name = 我在这里没有看到文件“{ $name }”。能发给我吗？
planner-no-file-usable =
    { $count ->
        [1] 我无法使用你发来的文件，所以什么也没做。能再发一次，或者换一个吗？
       *[other] 你发来的文件我一个也无法使用，所以什么也没做。能再发一次，或者换别的吗？
    }
