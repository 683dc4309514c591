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

# The command line.
plan-no-task = 这不需要任何任务，我会直接回答。
file-not-read = 无法读取 { $file }：{ $problem }
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
tasks-set-up = 无需编辑文件即可开启更多功能：[解锁更多功能](#/setup)。
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
