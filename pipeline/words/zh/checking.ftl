# 回答内容超出模型结果时所做的更改。
check-struck = 已从此回答中去掉 { $count } 个不存在的文件或地址。
check-mended = 已按模型的结果更正此回答中的 { $count } 处数字。
check-marked = (?) 标在没有任何模型结果支持的内容之后。
respond-empty = { $kind }没有发现任何内容。
respond-itself = { $kind }的结果：{ $found }。
respond-doubt = 模型对此并不确定（{ $kind }）。
respond-disagree = 模型的结果不一致：{ $first }得出{ $one }，{ $second }得出{ $other }。
