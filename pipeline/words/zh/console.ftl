# The chat in the terminal.
console-welcome = 想做什么就告诉我。文件可以写路径，也可以拖进这个窗口。
console-keys = /file 路径：添加文件；/new：开始新对话；/quit：退出。Ctrl-C 停止正在进行的任务。
console-attached = 已添加 { $name }。现在告诉我要怎么处理。
console-no-file = 没有文件 { $path }。
console-file-unreadable = 无法读取文件 { $name }：{ $problem }
console-new = 开始新的对话。
console-stopping = 正在停止……
console-leave = 再按一次 Ctrl-C 退出。
console-going-on = 继续处理：{ $text }
console-task = { $step }. { $what }
console-saved = 已保存 { $path }
console-made = { $alt }（由 { $model } 生成）
console-notice = 提示：{ $notice }
console-apology = 没有成功：{ $reason }
console-broken = 机器人在回答之前被停止了。重新运行后会自动继续。
