# The pipeline itself: choosing, executing, answering.
stopped = 已停止。
sentence-unknown = （来自本程序其他版本的消息）
chosen-recommended = 推荐用于此类任务的模型
chosen-ranked = 这里能运行的同类模型中使用最多的
chosen-planner = 规划器根据说明选出
chosen-channel = 此频道的设置
chosen-because = { $reason }
chosen-only = 这里唯一能运行的此类模型
not-possible-here = 这里还不能{ $kind }。管理员可以启用：命令“tasks”会说明方法。
not-possible-owner = 这里还不能{ $kind }。要启用，请在 .env 中写入下面的一行并重新启动：{ $setting }=…
not-possible-installer = 这里还不能{ $kind }。你可以启用它：[解锁更多功能](#/setup)。
not-possible-rules = 这里无法{ $kind }：按照这里的规则没有可用的模型。
not-possible-nobody = 这里目前无法{ $kind }：没有人提供相应的模型。
not-possible-now = 这里目前无法{ $kind }：{ $reason }
list-unreached-hub = 无法访问 Hugging Face 的模型列表。
list-unreached-local = 无法访问专家服务器。
not-possible-language = 这里无法用这种语言（{ $language }）{ $kind }：可用的模型都不支持它。
wanting-or-model = { $needs } 或专家服务器上的相应模型
wanting-model = 专家服务器上的相应模型
task-too-long = 超过 { $seconds } 秒仍未完成，已放弃。
task-input-missing = 前一步没有产生可用的内容。
task-input-unreadable = 无法读取输入（{ $file }）。
task-output-unreadable = 模型返回的不是可读的文件：{ $problem }
task-output-missing = 模型没有返回 { $missing }。
task-bug = 执行时机器人自身出了故障。编号：{ $reference }
fallback-planner = 语言模型无法使用（{ $reason }），因此我用内置功能制定计划并回答。
fallback-plan = 语言模型没有给出合理的计划，因此我用内置功能制定计划并回答。
fallback-responder = 语言模型无法使用（{ $reason }），因此我用内置功能写了这个回答。
nothing-to-do = 我没看出这里要做什么。告诉我你想做的事；如果和文件有关，请附上文件。
file-unused = 没有使用 { $name }：{ $reason }
voice-heard = 我听到的是：“{ $words }”
voice-not-heard = 无法转写你的语音消息。{ $reason } 你也可以直接打字。
voice-language = 这里没有模型能听懂你的语言。
apology-bug = 机器人自身出了故障，日志编号为 { $reference }。
apology-out-of-time = 超过 { $seconds } 秒仍未完成，已放弃。
apology-still-queued = 排在前面的请求太多，等了 { $seconds } 秒仍未轮到，已放弃。请稍后再试。
answer-empty = 好了。
answer-in-file = 全文在 { $file } 中，开头如下：

# What is in a file, for those who cannot see or hear it.
alt-found = 标出了识别结果的图片：{ $found }
alt-spoken = 语音内容：{ $words }
alt-made-from = { $type ->
    [image] 根据文字生成的图片
    [audio] 根据文字生成的录音
    [video] 根据文字生成的视频
   *[other] 根据文字生成的文件
 }：{ $words }
alt-changed = { $type ->
    [image] 按要求修改的图片
    [audio] 按要求修改的录音
    [video] 按要求修改的视频
   *[other] 按要求修改的文件
 }：{ $words }
alt-made = { $kind }：{ $what }
