# The chat in the terminal.
console-welcome = ご用件をどうぞ。ファイルはパスで書くか、このウィンドウにドラッグしてください。
console-keys = /file パス：ファイルを追加、/new：新しい会話、/quit：終了。Ctrl-C で実行中の処理を止めます。
console-attached = { $name } を追加しました。どうするか教えてください。
console-no-file = ファイル { $path } はありません。
console-file-unreadable = ファイル { $name } を読めません：{ $problem }
console-new = 新しい会話を始めます。
console-stopping = 停止しています…
console-leave = 終了するにはもう一度 Ctrl-C を押してください。
console-going-on = 続きを行います：{ $text }
console-task = { $step }. { $what }
console-saved = 保存しました：{ $path }
console-made = { $alt }（作成：{ $model }）
console-notice = 注意：{ $notice }
console-apology = うまくいきませんでした：{ $reason }
console-broken = 回答する前にボットが停止されました。再び動き出せば自動で続けます。
