# 为什么选用或没有选用某个模型。
chosen-named = 你指定的模型
chosen-before = 与之前的回答相同
named-unknown = 我不知道名为 { $name } 的模型，已改用其他模型。
named-unused = 没有使用 { $name }：{ $reason }
named-other-kind = 没有使用 { $name }：它用于另一类任务（{ $kind }）。
named-nowhere = { $name } 目前无法在这里运行，没有人提供它。
policy-not-allowed = 它不在这里允许的模型之列。
policy-denied = 这里不允许使用它。
policy-licence = 无法确认其许可证（{ $licence }）允许商业使用。
policy-language = 它不支持这里需要的语言。
policy-provider = 这里允许的提供商都不提供它。
