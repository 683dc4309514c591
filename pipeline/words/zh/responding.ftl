# The answer that is written without a language model.
respond-label = 最可能是{ $label }。
respond-also = 可能性较小：{ $labels }。
respond-alike = 它们的相似度为 { $percent }%。
respond-source = **{ $value }**（{ $source }）
respond-things = 找到：{ $things }。
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
respond-failed = “{ $kind }”没有成功：{ $reason }
respond-none = { $kind }：{ $reason }
respond-skipped = “{ $kind }”已跳过，因为它所依赖的步骤没有成功：“{ $because }”。
respond-stopped = “{ $kind }”已停止。
respond-unused = { $model } 不支持，已省略：{ $names }。
listed = { $names }、{ $name }
respond-nothing = 这件事没能完成。
compared-first = **A** · { $model }（之前）
compared-second = **B** · { $model }（新）
label-per = 人名
label-person = 人名
label-org = 机构
label-organization = 机构
label-loc = 地点
label-gpe = 地点
label-location = 地点
label-misc = 名称
# What was changed in an answer.
history-unread = 没能及时读到这里之前的消息。
check-struck = 已从此回答中删除 { $count } 个结果中没有的链接或文件名。
answer-cut = 回答超过 { $count } 个字符，已被截断。
answer-unfinished = 这段文字不完整：模型提前停止了。要看其余部分，请写“继续”。
# Moods as experts for voices shorten them.
label-ang = 愤怒
label-hap = 高兴
label-neu = 平静
label-fea = 害怕
label-dis = 厌恶
label-sur = 惊讶
label-exc = 兴奋
label-fru = 沮丧
