# What only Discord says.
discord-asked = { $name } さんの質問：{ $words }
discord-thread = { $name } さんへ
discord-no-files = 「{ $permission }」の権限がないため、ここにはファイルを添付できません。ファイルは次のとおりです。
discord-file-elsewhere = { $name } は { $host } にありますが、Discord のファイルサーバーではありません。
discord-file-page = Discord のファイルサーバーが { $name } の代わりにウェブページを送ってきました。
discord-token-wrong = この DISCORD_TOKEN は Discord に登録されていません。アプリケーションのトークンを { $link } からコピーしてください（Bot → Reset Token）。
discord-token-revoked = この DISCORD_TOKEN はもう Discord で使えません。{ $link } で新しく作ってください（Bot → Reset Token）。
discord-intent-missing = Discord がボットにメッセージを読ませてくれません。{ $link } で "Message Content Intent" をオンにしてください（Bot → Privileged Gateway Intents）。
discord-closed = Discord が接続を完全に閉じました。{ $link } でアプリケーションを確認してください。
discord-forbidden = Discord ではボットがここでこれを行うことが許可されていません（{ $problem }）。
discord-gone = それは Discord にはもうありません（{ $problem }）。
discord-refused = ボットが送ったものを Discord が拒否しました（{ $problem }）。
discord-unreachable = Discord に接続できませんでした。
discord-aside-gone = 質問された場所がなくなったため、ここで答えます。
discord-aside-late = 質問された場所では Discord がメッセージを受け付けなくなったため、こちらでお答えします。
discord-aside-locked = 「{ $channel }」はロックされているため、ここで答えます。
discord-aside-permission = { $channel } では「{ $permission }」の権限がないため、こちらに送ります。サーバーの管理者が付与できます。
discord-permission-read_messages = チャンネルを見る
discord-permission-send_messages = メッセージを送信
discord-permission-send_messages_in_threads = スレッドでメッセージを送信
discord-permission-attach_files = ファイルを添付
discord-nowhere = Discord には、ボットがこれに答えられる場所が残っていません。

# What the doctor finds.
doctor-discord-token-good = このトークンは Discord で有効です。ボットは { $name } です。
doctor-discord-intent-good = ボットはメッセージを読めます（Message Content Intent はオンです）。
doctor-discord-intent-missing = ボットが読めるのはメンション、ダイレクトメッセージ、コマンドだけです。メンションなしでスレッドを読ませるには、{ $link } で "Message Content Intent" をオンにしてください（Privileged Gateway Intents）。
doctor-discord-gateway-good = Discord のゲートウェイに接続できます。
doctor-discord-no-server = ボットはまだどのサーバーにも入っていません。リンクを開いて追加してください。
doctor-discord-permission = { $where } でボットに権限 "{ $permission }" がありません。
doctor-discord-permissions-good = { $where } の権限はそろっています。
doctor-discord-channel = ボットから見えるチャンネル { $channel } はありません。
doctor-discord-hello = doctor からのあいさつです。このメッセージは自動で消えます。
doctor-discord-round-trip = { $channel } でメッセージを投稿、編集、削除しました。
