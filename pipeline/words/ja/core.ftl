# The pipeline itself: choosing, executing, answering.
stopped = 停止しました。
sentence-unknown = （このプログラムの別のバージョンによるメッセージ）
chosen-recommended = この種の作業におすすめのモデル
chosen-ranked = ここで動かせる中で最もよく使われているモデル
chosen-planner = プランナーが説明から選んだもの
chosen-channel = このチャンネルの設定
chosen-because = { $reason }
chosen-only = ここで動かせる唯一のモデル
not-possible-here = { $kind }は、ここではまだできません。管理者が有効にできます。方法はコマンド「tasks」で確認できます。
not-possible-owner = { $kind }は、ここではまだできません。有効にするには、.env に次のいずれかの行を書いて再起動してください：{ $setting }=…
not-possible-installer = { $kind }は、ここではまだできません。[できることを増やす](#/setup)で有効にできます。
not-possible-rules = { $kind }は、ここではできません：ここの規則により使えるモデルがありません。
not-possible-nobody = { $kind }は、今ここではできません：対応モデルを提供しているところがありません。
not-possible-now = { $kind }は、今ここではできません：{ $reason }
list-unreached-hub = Hugging Face のモデル一覧にアクセスできません。
list-unreached-local = エキスパートサーバーにアクセスできません。
not-possible-language = { $kind }は、ここではこの言語（{ $language }）ではできません：使えるモデルの中に対応するものがありません。
wanting-or-model = { $needs } またはエキスパートサーバー上の対応モデル
wanting-model = エキスパートサーバー上の対応モデル
task-too-long = { $seconds } 秒を超えたため、中止しました。
task-input-missing = 前の手順から使えるものが得られませんでした。
task-input-unreadable = 入力（{ $file }）を読めませんでした。
task-output-unreadable = モデルから返ってきたものは読めるファイルではありません：{ $problem }
task-output-missing = モデルから { $missing } が返ってきませんでした。
task-bug = 実行中にボット自体に不具合が起きました。参照番号：{ $reference }
fallback-planner = 言語モデルを使えなかったため（{ $reason }）、内蔵の機能で計画して回答しました。
fallback-plan = 言語モデルが意味の通る計画を作らなかったため、内蔵の機能で計画して回答しました。
fallback-responder = 言語モデルを使えなかったため（{ $reason }）、内蔵の機能でこの回答を書きました。
nothing-to-do = 何をすればよいか見つかりませんでした。したいことを教えてください。ファイルに関することなら、ファイルも添えてください。
file-unused = { $name } は使いませんでした：{ $reason }
voice-heard = 聞き取った内容：「{ $words }」
voice-not-heard = ボイスメッセージを文字にできませんでした。{ $reason } 文字で入力していただくこともできます。
voice-language = あなたの言語を聞き取れるモデルが、ここにはありません。
apology-bug = ボット自体に不具合が起きました。ログの参照番号は { $reference } です。
apology-out-of-time = { $seconds } 秒を超えたため、中止しました。
apology-still-queued = 先に受け付けた依頼が多すぎます。{ $seconds } 秒たっても順番が来なかったため、中止しました。後でもう一度お試しください。
answer-empty = こちらです。
answer-in-file = 全文は { $file } にあります。冒頭は次のとおりです。

# What is in a file, for those who cannot see or hear it.
alt-found = 見つかったものに印を付けた画像：{ $found }
alt-spoken = 話の内容：{ $words }
alt-made-from = { $type ->
    [image] 言葉から作った画像
    [audio] 言葉から作った音声
    [video] 言葉から作った動画
   *[other] 言葉から作ったファイル
 }：{ $words }
alt-changed = { $type ->
    [image] 依頼どおりに変えた画像
    [audio] 依頼どおりに変えた音声
    [video] 依頼どおりに変えた動画
   *[other] 依頼どおりに変えたファイル
 }：{ $words }
alt-made = { $kind }：{ $what }
