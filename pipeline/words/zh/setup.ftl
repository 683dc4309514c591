# 由运行程序的人进行设置，以及页面一开始提供的示例。
setup-not-here = 只有运行 Troupe 的人在同一台机器的浏览器中才能这样做。
setup-too-often = 短时间内尝试次数过多。请等一分钟再试。
setup-key-missing = 请先粘贴密钥。
setup-odd-key = 这不像密钥或令牌：它们是一个词，至少有八个字母、数字和符号，没有空格。
setup-too-long = 内容太长。
setup-whose-key = 从密钥看不出属于哪个服务。请选择服务。
setup-address-missing = 请输入服务器地址，例如 https://example.com/v1。
setup-slack-bot-token = 机器人令牌以 xoxb- 开头。安装应用后，Slack 会在“Install App”中显示。
setup-slack-app-token = 应用令牌以 xapp- 开头。在 Slack 的“Basic Information”的“App-Level Tokens”中创建。
setup-replicas = 另有一个 Troupe 在使用同一数据库，而 .env 只对这台机器有效。请在启动每个 Troupe 的地方修改设置。
setup-in-environment = { $names } 已在环境变量中设置，优先于 .env 文件。请在启动 Troupe 的地方修改。
setup-in-toml = { $names } 已在 troupe.toml 中设置，需要在那里删除。
setup-unwritten = 全部检查通过，可以使用，但没有保存。{ $problem }请把这些行加入 { $file }，然后重新启动 Troupe：{ $lines }
setup-file-away = 无法读写 { $file }：{ $problem }。
setup-unreadable-value = 无法把 { $name } 写入 .env：值中有会被误读的符号。
setup-nothing-to-undo = 没有可以撤销的内容。
setup-put-back = 新设置无法启动，已恢复之前的设置。{ $problem }
setup-llm-on = { $model } 负责规划和回答。{ $sees ->
    [yes] 它能看图片。
   *[no] 它不能看图片。
  }
setup-llm-off = 没有语言模型：内置规划器能理解简单的请求，但不能聊天、写作或翻译。
setup-llm-closed = TROUPE_CONTROLLER 为 off：没有语言模型进行规划。
setup-hosted-on = 可以使用 Hugging Face 的模型。
setup-hosted-off = 没有 Hugging Face 令牌：不能使用它的模型。
setup-local-on = 本机运行着模型，地址是 { $address }。
setup-local-none = 在本机运行模型所需的一切都已安装，但还没有模型。
setup-local-off = 本机没有运行模型。
setup-slack-on = 已连接 Slack。
setup-slack-off = 未连接 Slack。
setup-discord-on = 已连接 Discord。
setup-discord-off = 未连接 Discord。
start-draw = 画一幅图
start-draw-text = 用水彩画一座黄昏中的灯塔
start-poem = 写一首诗并朗读
start-poem-text = 写一首关于大海的四行诗，并朗读出来
start-invoice = 朗读发票
start-invoice-text = 朗读这张发票的总额
start-look = 描述一张图片
start-look-text = 这张图片里有什么？
start-translate = 翻译
start-translate-text = 翻译成英语和法语：“早起的鸟儿有虫吃。”
start-sketch = 把图片变成铅笔画
start-sketch-text = 把这张图片变成铅笔画
start-mood = 看看评论的情绪
start-mood-text = 这条评论的情绪如何？“房间很好，早餐更棒，但办理入住花了一个小时。”
setup-too-slow = 使用新设置启动耗时过长。
setup-needs-key = Hugging Face 令牌，或语言模型的密钥。
setup-needs-hub = Hugging Face 令牌，或本机上的模型。
setup-needs-local = 本机上的模型。
setup-sharing-on = 页面上的对话可以通过链接共享。
setup-sharing-off = 页面上的对话不能共享。
setup-mend-key = 请在该服务处检查密钥和账户，然后重新粘贴密钥。
setup-mend-address = 请输入 { $value } 作为地址。
setup-mend-model = { $named ->
    [true] 请选择模型 { $value }，或服务器上的其他模型。
   *[false] 请选择服务器上的模型。
  }
setup-mend-blind = 不会向它发送图片。
