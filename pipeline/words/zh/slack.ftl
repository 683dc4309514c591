# What only Slack gives occasion to say.
slack-status = 正在处理……
slack-loading =
    正在阅读你的消息 …
    正在规划步骤 …
    正在为每个步骤选择模型 …
    正在执行步骤 …
slack-prompt-draw = 画一幅画
slack-prompt-draw-text = 画一座黎明时的灯塔。
slack-prompt-poem = 写一首诗并朗读
slack-prompt-poem-text = 写一首关于大海的短诗并朗读出来。
slack-prompt-translate = 翻译一句话
slack-prompt-translate-text = 把“车站在哪里？”翻译成英文。
slack-prompt-mood = 判断评论的情感
slack-prompt-mood-text = 这条评论的情感是什么？“房间很漂亮，员工也很友好。”
slack-prompt-read = 朗读一段文字
slack-prompt-read-text = 朗读这个：“大家早上好。会议十点开始。”
slack-prompt-help = 你能做什么？
slack-unreachable = 无法从本机连接 Slack。本机是否在线，或在代理之后？
slack-refused = { $code ->
    [is_archived] 该频道已归档。
    [channel_not_found] 该频道已不存在，或者我看不到它。
    [not_in_channel] 我已不在该频道里。
    [restricted_action] 我不能在那里发言。
    [restricted_action_read_only_channel] 我不能在那里发言。
    [restricted_action_thread_only_channel] 我不能在那里发言。
    [restricted_action_thread_locked] 该话题已锁定。
    [storage_limit_reached] 工作区已没有存放文件的空间。
    [file_uploads_disabled] 此工作区不允许上传文件。
   *[other] Slack 拒绝了 { $method }：{ $code }
}
slack-scope-missing = 在这里我做不到：应用缺少权限范围 { $scope }。管理员可以添加。
slack-could-not-answer = 我无法在 { $channel } 回答你：{ $reason }
slack-about = 关于 { $place }：
slack-not-in-channel = 我不在这个对话里。请用 /invite 邀请我，或直接给我发私信。
slack-not-your-channel = 我无法确认你在这个对话里，所以不会在那里做任何事。
slack-asked = { $name } 问：{ $text }
slack-usage = 请这样写：`{ $usage }`
slack-unknown-word = 没有“{ $name }”这个命令：`{ $slash } help` 会列出所有命令。要提出请求，请写 `{ $slash } ask …`。
slack-unknown-command = 没有命令“{ $name }”。你是指 `{ $slash } { $nearest }` 吗？如果请求以这个词开头，请写 `{ $slash } ask …`。
slack-which-thread = 你指的是哪个话题？
slack-pick-thread = 选择话题
slack-no-threads = 我还没有在此频道的任何话题中回答过。
slack-form-title = 询问 Troupe
slack-form-description = 随时随地用文字和文件提问
slack-form-channel = 回答发到哪里？
slack-form-direct = 发给你的私信
slack-form-submit = 发送
slack-form-large = { $name } 有 { $size } MB。我最多接受 { $limit } MB。
slack-form-empty = 请写下你的需要。
slack-home-works = 这里可以做的事
slack-home-requests = 你最近的请求
slack-home-none = 还没有。请在这里给我发消息，或在频道中提及我。
slack-home-all = 显示全部
slack-home-missing = 还不能做的事
slack-home-settings = 频道设置
slack-home-choose = 选择一个频道，查看或更改它的设置。
slack-home-channel = 选择频道
slack-home-change = 更改
slack-form-close = 关闭
slack-file-sign-in = Slack 没有给出 { $name }，而是给出了登录页面：应用缺少 files:read 权限范围，或无权访问该文件。
slack-file-elsewhere = { $name } 存放在另一项服务（{ $host }）上，我无法从那里获取。请把它上传到这里。
slack-file-gone = Slack 中已没有名为 { $name } 的文件。
slack-bot-token-wrong = SLACK_BOT_TOKEN 无效（{ $code }）。请从 { $link } 获取 "Bot User OAuth Token"
slack-app-token-wrong = SLACK_APP_TOKEN 无效（{ $code }）。请生成一个带 connections:write 权限范围的令牌：{ $link }
slack-revoked = 应用已从工作区移除，或其令牌已被撤销。请重新安装：{ $link }
slack-not-installed = 此工作区（{ $team }）已不再安装该应用。
slack-rotation = 此应用启用了令牌轮换。Troupe 不支持令牌轮换，而 Slack 启用后无法关闭。请用 `troupe slack manifest` 输出的清单重新创建应用。
slack-secret-key-bad = TROUPE_SECRET_KEY 不是 Fernet 密钥。用此命令生成：{ $command }
slack-secret-key-wrong = TROUPE_SECRET_KEY 无法解密已安装的 Slack 工作区的令牌。请把保存时所用的密钥放在新密钥和逗号之后。
