# The answer that is written without a language model.
respond-found = { $found }
respond-found-sure = { $found }（非常确定）
respond-found-fairly = { $found }（比较确定）
respond-found-unsure = { $found }（不确定）
respond-found-nothing = 什么也没找到。
respond-made-image =
    { $count ->
        [1] 图片好了。
       *[other] { $count } 张图片好了。
    }
respond-made-audio =
    { $count ->
        [1] 录音好了。
       *[other] { $count } 段录音好了。
    }
respond-made-video =
    { $count ->
        [1] 视频好了。
       *[other] { $count } 段视频好了。
    }
respond-made-document =
    { $count ->
        [1] 文档好了。
       *[other] { $count } 份文档好了。
    }
respond-made-table =
    { $count ->
        [1] 表格好了。
       *[other] { $count } 个表格好了。
    }
respond-failed = { $kind }没有成功：{ $reason }
respond-skipped = { $kind }没有开始，因为{ $because }没有成功。
respond-stopped = { $kind }已停止。
respond-how = 过程：{ $steps }。
respond-step = { $model }（{ $place }）用于{ $kind }
respond-nothing = 什么也没做。
