# What only Discord says.
discord-asked = { $name } 问：{ $words }
discord-thread = 给 { $name }
discord-no-files = 没有“{ $permission }”权限，我无法在这里附上文件。文件如下：
discord-file-elsewhere = { $name } 位于 { $host }，那不是 Discord 的文件服务器。
discord-file-page = Discord 的文件服务器发来的是网页，而不是 { $name }。
discord-token-wrong = Discord 不认识这个 DISCORD_TOKEN。请从 { $link } 复制你的应用的令牌（Bot → Reset Token）。
discord-token-revoked = Discord 不再接受这个 DISCORD_TOKEN。请在 { $link } 重新生成（Bot → Reset Token）。
discord-intent-missing = Discord 不让机器人读取消息：请在 { $link } 打开 "Message Content Intent"（Bot → Privileged Gateway Intents）。
discord-closed = Discord 永久关闭了连接。请在 { $link } 检查应用。
discord-forbidden = Discord 不允许机器人在这里这样做（{ $problem }）。
discord-gone = 这在 Discord 中已经不存在了（{ $problem }）。
discord-refused = Discord 拒绝了机器人发送的内容（{ $problem }）。
discord-unreachable = 无法连接 Discord。
discord-aside-gone = 你提问的地方已不存在，所以我在这里回答你。
discord-aside-late = Discord 不再接受在你提问处发送消息，所以我在这里回答你。
discord-aside-locked = “{ $channel }”已锁定，所以我在这里回答。
discord-aside-permission = 我在 { $channel } 没有“{ $permission }”权限，所以发到这里。服务器管理员可以授予该权限。
discord-permission-read_messages = 查看频道
discord-permission-send_messages = 发送消息
discord-permission-send_messages_in_threads = 在子区内发送消息
discord-permission-attach_files = 附加文件
discord-nowhere = Discord 中已没有机器人可以回答这个问题的地方。

# What the doctor finds.
doctor-discord-token-good = Discord 认识这个令牌：机器人是 { $name }。
doctor-discord-intent-good = 机器人可以读取消息（Message Content Intent 已打开）。
doctor-discord-intent-missing = 机器人只能读取提及、私信和命令。要让它无需提及也能跟随子区，请在 { $link } 打开 "Message Content Intent"（Privileged Gateway Intents）。
doctor-discord-gateway-good = Discord 的网关接受连接。
doctor-discord-no-server = 机器人还不在任何服务器中。打开链接，把它加入一个服务器。
doctor-discord-permission = 机器人在 { $where } 缺少权限 "{ $permission }"。
doctor-discord-permissions-good = { $where } 中的权限齐全。
doctor-discord-channel = 机器人看不到频道 { $channel }。
doctor-discord-hello = 来自 doctor 的问候；这条消息会自动消失。
doctor-discord-round-trip = 已在 { $channel } 发送、编辑并撤回一条消息。
