# The answer that is written without a language model.
respond-sure = 我非常确定。
respond-fairly = 我比较确定。
respond-unsure = 我不确定，请核对。
respond-is = { $subject }是{ $found }
respond-label = 最可能是{ $label }。
respond-also = 可能性较小：{ $labels }。
respond-alike = 它们的相似度为 { $percent }%。
respond-things = 找到：{ $things }。
respond-and = { $most }和{ $last }
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
respond-which = { $kind }（{ $what }）
respond-failed = { $kind }没有成功：{ $reason }
respond-none = { $kind }：{ $reason }
respond-skipped = { $kind }没有开始，因为{ $because }没有成功。
respond-stopped = { $kind }已停止。
respond-how = 过程：{ $steps }。
respond-step = { $model }（{ $place ->
    [embedded] 内置
    [llm] 语言模型
    [local] 自有服务器
    [hosted] 托管
   *[other] { $place }
 }）用于{ $kind }
respond-nothing = 什么也没做。
respond-entity-per = 人名
respond-entity-org = 机构
respond-entity-loc = 地点
respond-entity-misc = 名称
