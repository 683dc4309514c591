# Commands and buttons.
command-ask = 提出请求，可以附上文件
command-models = 这里能运行的模型
command-model = 一个模型的全部信息
command-tasks = 所有任务种类，以及在哪里运行
command-plan = 此话题中上一个请求的计划
command-status = 正在进行的任务
command-stop = 停止此话题中正在进行的任务
command-forget = 忘记我、此话题或此频道
command-settings = 查看或更改此频道的设置
command-help = 我能做什么
command-whoami = 你和此频道的 ID
option-text = 你想做什么
option-file = 相关的文件
option-kind = 任务种类
option-search = 要搜索的词
option-id = 模型的 ID
option-what = 要忘记什么
option-name = 设置项
option-value = 新的值，或 "default"
form-files = 相关的文件
unknown = 未知
models-none = 这里能运行的模型中没有符合“{ $words }”的。
model-unknown = 我不知道名为 { $name } 的模型。
model-kind = 任务种类
model-places = 运行于
model-licence = 许可证
model-languages = 语言
model-downloads = 下载次数
model-size = 大小
model-revision = 版本
model-likes = 点赞
model-gated = 访问
model-gated-yes = 需要先在 Hub 上接受其许可证
model-nowhere = 目前在这里无处可运行
model-rules = 这里不能使用
model-record = 在这里的记录（{ $kind }）：{ $attempts ->
    [0] 尚未使用
   *[other] 使用 { $attempts } 次，失败 { $failures } 次，约 { $seconds } 秒，👍 { $ups }，👎 { $downs }
  }
tasks-enabled-by = 在 .env 中写入 { $what } 并重新启动
tasks-nobody = 目前没有人提供可用的模型
tasks-rules = 此频道的规则没有留下可用的模型
help-intro = 告诉我你想要什么，可以附上文件（在频道里请提到我）：我会规划步骤、挑选专家模型、运行它们，并在话题中回答。在话题中发下一条消息即可继续。命令：
whoami = { $name ->
    [you] 你的 ID 是 { $id }（语言 { $locale }）
    [me] 你的 ID 是 { $id }（语言 { $locale }）
   *[other] 你是 { $name }（ID { $id }，语言 { $locale }）
  }，位于 { $platform } 上 { $workspace } 的频道 { $channel }。Troupe { $version }。
plan-none = 此话题中还没有计划。
status = { $here ->
    [0] 这里没有正在进行的请求
   *[other] 这里有 { $here } 个请求正在进行
  }，总共 { $everywhere } 个。Troupe { $version }。
status-places = 模型运行于：{ $places }。
stop-done = { $count ->
    [0] 没有可停止的任务。
   *[other] 已停止。
  }
details-estimate = 事先估计：{ $estimate }
state-done = { $seconds } 秒内完成
state-skipped = 未开始，因为任务 { $task } 没有完成
erase = { $scope ->
    [me] 这会永久删除你在这里所有频道中的消息、我对它们的回答以及相关文件，无法撤销。
    [thread] 这会永久删除我保存的此话题的全部内容和文件，无法撤销。
    [channel] 这会永久删除我保存的此频道的全部内容：话题、文件和设置，无法撤销。
   *[other] `{ $what }` 会永久删除已保存的内容，无法撤销。
  }
erase-title = 永久删除？
erase-yes = 删除
erase-no = 取消
erase-cancelled = 没有删除任何内容。
forget-what = 告诉我要忘记什么：me（你）、thread（话题）或 channel（频道）。
forgotten = { $scope ->
    [me] 已忘记：你在这里所有频道中的消息、我对它们的回答以及相关文件。
   *[thread] 已忘记：此话题中的所有内容及其文件。
  }删除了 { $rows } 条记录和 { $files } 个文件。
forgotten-thread = 应 { $name } 的要求，已忘记此话题中的所有内容：{ $rows } 条记录和 { $files } 个文件。
forgotten-channel = 应 { $name } 的要求，已忘记此频道中的所有内容：{ $rows } 条记录和 { $files } 个文件。
settings-unknown = 没有设置项 { $name }；可用的有 { $names } 和 model:<任务种类>。
settings-bad = { $value } 不可用；可选：{ $choices }。
settings-heading = 此频道的设置：
setting-places = 模型可以在哪里运行
setting-mention = 在话题中何时需要提及我
setting-listen = 在哪里保存发给他人的消息
setting-language = 我在这里使用的语言
setting-learn = 获赞的计划在哪里用作示例
setting-licence = 模型可以使用的许可证
vote-kept = 谢谢，已记下。
vote-compared = 谢谢，已记录：{ $model } 更好。
run-forgotten = 我已经不记得那个请求了。
perhaps-repeated = （{ $platform } 没有说明这条之前是否已送达，所以这里可能出现两次。）
command-unknown = 没有命令 { $name }；"help" 会列出所有命令。
command-not-repeated = 命令不能用按钮重复执行。请重新发送该命令。
not-allowed = 你不能在这里使用我。管理员可以更改。
not-allowed-admins = 只有管理员可以这样做（{ $what }）。
over-limit-person = 一分钟内超过了 { $limit } 个请求。请等待 { $seconds } 秒。
over-limit-channel = 此频道一分钟内超过了 { $limit } 个请求。请等待 { $seconds } 秒。
text-too-long = 这条消息有 { $length } 个字符，最多接受 { $limit } 个。请改为以文件发送。
file-too-large = 文件大小为 { $size } MB，最多接受 { $limit } MB。
apology-patience = 我处理这件事时被中断了 { $attempts } 次，只好放弃。请再问一次。
settings-wrong = 以下配置有问题：
    { $problems }
    说明见 docs/operator-guide.md。
settings-unreadable = 无法读取 .env 或 troupe.toml 中的配置：{ $problem }
home-unwritable = 文件夹 { $folder } 无法用来存放数据：{ $problem }。请把 TROUPE_HOME 设为可写入的文件夹。

# The command line and the doctor.
serving-page = Troupe 的地址是 { $address }。请在浏览器中打开；按 Ctrl-C 结束。
signed-out = 所有人都已退出网页，文件链接也已失效。
serving-chat = Troupe 正在监听 { $platform }。
plan-no-task = 这不需要任何任务，我会直接回答。
file-not-read = 无法读取 { $file }：{ $problem }
doctor-data = 数据保存在 { $where }。
doctor-no-llm = 没有配置语言模型：使用内置的规划器和回答程序。设置 HF_TOKEN、OPENAI_API_KEY 或 OPENAI_BASE_URL 可获得更好的计划。
doctor-llm-off = TROUPE_CONTROLLER 已关闭：使用内置的规划器和回答程序。
doctor-llm-good = 语言模型 { $model } 有响应。
doctor-llm-plans = { $model } 负责规划和撰写回答。
doctor-llm-sees = { $model } 能看图片。问它一个蓝色方块和一个红色方块是什么颜色，它回答：{ $reply }
doctor-llm-sees-bad = { $model } 应该能看图片，但分不清蓝色方块和红色方块。
doctor-llm-blind = 这里没有能看图片的语言模型，因此不会向语言模型发送图片。
doctor-llm-cost = 一次典型请求的语言模型费用约为 { $cost } 美元。
doctor-llm-cost-unknown = 请求的费用未知：服务器没有列出 { $model } 的价格。
doctor-llm-bad = 语言模型 { $model } 在 { $address } 没有响应。
doctor-says = 服务器说：“{ $words }”
doctor-llm-unlisted = 服务器上没有模型 { $model }。它列出的有：{ $models }
doctor-llm-room = { $model } 的上下文能容纳 { $room } 个 token；规划需要 { $least } 个。
doctor-llm-room-short = { $model } 的上下文能容纳 { $room } 个 token。规划需要 { $least } 个；有 { $wanted } 个以上时，计划会更好。
doctor-llm-room-bad = { $model } 的上下文只能容纳 { $room } 个 token。规划需要 { $least } 个，因此该模型无法规划。
doctor-llm-room-refused = { $model } 不接受规划所需长度（{ $least } 个 token）的输入。
doctor-llm-room-unknown = { $model } 接受规划所需长度（{ $least } 个 token）的输入。服务器没有说明上下文的大小：除非设置了 TROUPE_LLM_CONTEXT，否则按 { $room } 个 token 计算。
doctor-llm-sees-wrong = 问它一个蓝色方块和一个红色方块是什么颜色，它回答：{ $reply }
doctor-hub-list = 可以读取已提供模型的列表：{ $task } 有 { $count } 个，无法读取 { $dropped } 行。
doctor-hub-list-bad = 无法使用已提供模型的列表：{ $problem }。在此之前使用 Troupe 自己知道的模型。
nearby-found = 这台机器上正在运行语言模型：{ $address } 上的 { $model }。要使用它，请在 .env 中加入这一行：OPENAI_BASE_URL={ $address }
nearby-used = OPENAI_BASE_URL 为 auto：使用 { $address } 上的 { $model }。
nearby-none = OPENAI_BASE_URL 为 auto，但这台机器上没有运行语言模型（查找过 { $addresses }）。使用内置的规划器和回答程序。
doctor-sandbox-good = 工作进程没有网络，也无法触及本程序及其数据。
doctor-sandbox-bad = 工作进程能触及不该触及的内容：{ $reached }。{ $lacking ->
    [nothing] TROUPE_HOME 或 .env 位于程序文件夹中，请移走。
   *[other] 内核缺少或被容器隐藏的功能：{ $lacking }。请参阅 docs/operator-guide.md 中的“Sandbox”。
  }
doctor-sandbox-none = 工作进程在没有沙盒的情况下运行：只有 Linux 才有沙盒。
doctor-embedded-good = 内置专家已安装。
doctor-embedded-bad = 部分内置专家未安装：{ $missing }。
doctor-experts-good = 本机的专家服务器运行在 { $address }。
doctor-experts-none = 已安装附加组件 [local]，但 { $folders } 中没有模型：请下载一个（hf download）再重新启动。
doctor-kinds = { $all } 种任务中有 { $can } 种现在可以在这里运行（`troupe ask tasks` 会列出）。
doctor-no-platform = Slack 和 Discord 都没有配置：提供网页。请设置 SLACK_BOT_TOKEN 或 DISCORD_TOKEN。
doctor-token-short = TROUPE_WEB_TOKEN 太短，且没有任何措施减慢猜测。请设置更长的：
doctor-readable = 这台机器上的其他用户可以读取 { $path }。
doctor-hub-good = Hugging Face 认可 HF_TOKEN：属于 { $name }。
doctor-hub-refused = Hugging Face 拒绝了 HF_TOKEN。请创建一个可以调用 Inference Providers 的新令牌并设置好。
doctor-server-good = { $address } 的专家服务器有响应；共有 { $count } 个模型。
doctor-server-refused = { $address } 的专家服务器拒绝了 TROUPE_EXPERTS_TOKEN。请设置启动它时使用的令牌。
doctor-unreached = { $status ->
    [0] { $address } 没有响应。请检查它是否在运行，以及 { $setting } 是否正确。
   *[other] { $address } 返回状态 { $status }。请检查 { $setting }。
  }
doctor-ffmpeg-good = ffmpeg 可以运行。
doctor-ffmpeg-bad = ffmpeg 无法运行：无法转换视频和大多数声音。
doctor-timeout = { $seconds } 秒内没有响应：{ $name }。
doctor-broke = 检查本身出错：{ $name }（{ $problem }）。
setting-unknown = 没有 { $name } 这个设置。你是指 { $nearest } 吗？
setting-unknown-plain = 没有 { $name } 这个设置。请参阅 docs/operator-guide.md。
setting-retired = 设置 { $name } 已不再起作用，可以删除。
chat-broke = 它出错了，正在重新启动；日志中有更多信息。
doctor-done = { $wrong ->
    [0] 一切正常。
   *[other] 有 { $wrong } 处需要修正。
  }
menu-none = 这条消息里没有可以处理的内容。
menu-describe-none = 这条消息里没有图片或文件。
menu-transcribe-none = 这条消息里没有录音或视频。
menu-describe = 描述
menu-describe-wish = 描述一下这个。
menu-read = 朗读
menu-read-wish = 朗读这个。
menu-transcribe = 转写
menu-transcribe-wish = 把这个转写成文字。
menu-translate = 翻译
menu-translate-wish = 把这个翻译成中文。
menu-summarize = 总结
menu-summarize-wish = 总结一下这个。
menu-thread = 总结讨论串
menu-thread-wish = 总结一下这个讨论串。
tasks-extra = 用 { $what } 安装并重新启动
tasks-needs = 需要{ $what }
tasks-none = 目前这里什么都用不了。
tasks-works = 这里可以做的事：
tasks-missing = 还不能做的事，以及如何开启：
tasks-more = 管理员还可以开启另外 { $count } 项。
tasks-pick = 了解更多…
models-heading = 这里可用的模型：
models-for = { $kind }：
models-pick = 选择用途…
models-rest = 还有 { $count } 个。要查找，请写 models 加名称中的一个词。
setting-mention-value = { $value ->
    [always] 总是
    [threads] 我参与的话题中不需要
   *[default] 与全局相同
  }
setting-listen-value = { $value ->
    [threads] 在我参与的话题中
    [all] 在整个频道中
   *[default] 与全局相同
  }
setting-language-value = { $value ->
    [default] 请求所用的语言
   *[other] { $value }
  }
setting-learn-value = { $value ->
    [workspace] 这里的所有地方
    [channel] 此频道
    [off] 无
   *[default] 与全局相同
  }
setting-licence-value = { $value ->
    [commercial] 允许商业使用的
   *[default] 任意
  }
settings-whose = 管理员可以更改这些设置。
option-about = 关于什么
