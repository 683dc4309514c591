# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } 目前太忙
llm-broken = { $model } 出了故障
llm-too-slow = { $model } 没有及时响应
llm-unreachable = 无法连接 { $model }
llm-key-refused = { $model } 的访问密钥被拒绝
llm-credit-used-up = 账户用于 { $model } 的额度已用完
llm-access-refused = 此账户不能使用 { $model }
llm-model-gone = 那里没有 { $model }
llm-request-refused = { $model } 拒绝了请求
llm-too-long = 请求对 { $model } 来说太长
llm-filtered = { $model } 拒绝了内容
llm-garbled = { $model } 的回答无法读取
llm-cut-short = { $model } 没有写完就停止了
llm-cannot = { $model } 不会{ $kind }
llm-sees-nothing = { $model } 不接受图片
llm-file-unfit = { $model } 自身不能读取这种文件（{ $type }）
llm-nothing-given = { $kind }：没有收到可处理的内容
