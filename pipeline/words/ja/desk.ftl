# Commands and buttons.
command-ask = 依頼する（ファイルも添えられます）
command-models = ここで動かせるモデル
command-model = あるモデルの詳細
command-tasks = すべてのタスクの種類と、動かせる場所
command-plan = このスレッドの直近の依頼の計画
command-status = 実行中のもの
command-stop = このスレッドで実行中のものを止める
command-forget = 私、このスレッド、またはこのチャンネルを忘れる
command-settings = このチャンネルの設定を見る・変える
command-help = できること
command-whoami = あなたとこのチャンネルの ID
option-text = してほしいこと
option-file = 対象のファイル
option-kind = タスクの種類
option-search = 探す言葉
option-id = モデルの ID
option-what = 忘れる対象
option-name = 設定の名前
option-value = 新しい値、または "default"
form-files = 対象のファイル
unknown = 不明
models-none = ここで動かせるモデルに「{ $words }」に合うものはありません。
model-unknown = { $name } というモデルは知りません。
model-kind = タスクの種類
model-places = 動く場所
model-licence = ライセンス
model-languages = 言語
model-downloads = ダウンロード数
model-size = サイズ
model-revision = リビジョン
model-likes = いいね
model-gated = 利用条件
model-gated-yes = 先に Hub でライセンスに同意する必要があります
model-nowhere = 今はここでは動きません
model-rules = ここでは使えません
model-record = ここでの実績（{ $kind }）：{ $attempts ->
    [0] まだ使われていません
   *[other] 使用 { $attempts } 回、失敗 { $failures } 回、約 { $seconds } 秒、👍 { $ups }、👎 { $downs }
  }
tasks-enabled-by = .env に { $what } を書いて再起動する
tasks-nobody = 今はこれに使えるモデルを誰も提供していません
tasks-rules = このチャンネルの規則では使えるモデルがありません
help-intro = してほしいことを、必要ならファイルを添えて書いてください（チャンネルではメンションを付けて）。手順を計画し、専門のモデルを選んで動かし、スレッドで答えます。続きはスレッドに書いてください。コマンド：
whoami = { $name ->
    [you] あなたの ID は { $id }（言語 { $locale }）
    [me] あなたの ID は { $id }（言語 { $locale }）
   *[other] あなたは { $name }（ID { $id }、言語 { $locale }）
  }、場所は { $platform } の { $workspace } のチャンネル { $channel } です。Troupe { $version }。
plan-none = このスレッドにはまだ計画がありません。
status = { $here ->
    [0] ここで実行中のものはありません
   *[other] ここでは { $here } 件の依頼を実行中です
  }（全体で { $everywhere } 件）。Troupe { $version }。
status-places = モデルの動く場所：{ $places }。
stop-done = { $count ->
    [0] 止めるものはありませんでした。
   *[other] 停止しました。
  }
details-estimate = 事前の見積もり：{ $estimate }
state-done = { $seconds } 秒で完了
state-skipped = タスク { $task } が完了しなかったため、始めませんでした
erase = { $scope ->
    [me] ここのすべてのチャンネルでのあなたのメッセージ、それへの私の回答、そのファイルを完全に削除します。元に戻せません。
    [thread] このスレッドについて保存している内容とファイルをすべて完全に削除します。元に戻せません。
    [channel] このチャンネルについて保存しているスレッド、ファイル、設定をすべて完全に削除します。元に戻せません。
   *[other] `{ $what }` は保存されている内容を完全に削除します。元に戻せません。
  }
erase-title = 完全に削除しますか？
erase-yes = 削除
erase-no = キャンセル
erase-cancelled = 何も削除していません。
forget-what = 何を忘れるか教えてください：me（あなた）、thread（スレッド）、channel（チャンネル）。
forgotten = { $scope ->
    [me] 忘れました：ここのすべてのチャンネルでのあなたのメッセージ、それへの私の回答、そのファイル。
   *[thread] 忘れました：このスレッドで話された内容とファイルのすべて。
  }記録 { $rows } 件、ファイル { $files } 件。
forgotten-thread = { $name } さんの依頼により、このスレッドの内容をすべて忘れました：記録 { $rows } 件、ファイル { $files } 件。
forgotten-channel = { $name } さんの依頼により、このチャンネルの内容をすべて忘れました：記録 { $rows } 件、ファイル { $files } 件。
settings-unknown = { $name } という設定はありません。使えるのは { $names } と model:<タスクの種類> です。
settings-bad = { $value } は使えません。選べるもの：{ $choices }。
settings-heading = このチャンネルの設定：
setting-places = モデルを動かせる場所
setting-mention = スレッドでメンションが必要なとき
setting-listen = 他の人宛てのメッセージを保存する範囲
setting-language = ここで使う言語
setting-learn = 評価された計画を例として使う範囲
setting-licence = モデルに許されるライセンス
vote-kept = ありがとうございます。記録しました。
vote-compared = ありがとうございます。{ $model } のほうが良いと記録しました。
run-forgotten = その依頼はもう覚えていません。
perhaps-repeated = （これがすでに届いていたか { $platform } からわからなかったため、二重に表示されているかもしれません。）
command-unknown = { $name } というコマンドはありません。"help" で一覧を表示します。
command-not-repeated = コマンドはボタンで繰り返せません。もう一度コマンドを送ってください。
not-allowed = ここで私を使うことはできません。管理者が変更できます。
not-allowed-admins = それができるのは管理者だけです（{ $what }）。
over-limit-person = 1 分間の依頼が { $limit } 件を超えました。{ $seconds } 秒待ってください。
over-limit-channel = このチャンネルの依頼が 1 分間に { $limit } 件を超えました。{ $seconds } 秒待ってください。
text-too-long = メッセージは { $length } 文字です。受け付けるのは { $limit } 文字までです。代わりにファイルで送ってください。
file-too-large = サイズは { $size } MB ですが、受け付けるのは { $limit } MB までです。
apology-patience = この作業中に { $attempts } 回中断されたため、あきらめます。もう一度依頼してください。

# The command line.
plan-no-task = これにはタスクが要りません。直接答えます。
file-not-read = { $file } を読めません：{ $problem }
menu-none = このメッセージには、扱えるものがありません。
menu-describe-none = このメッセージには画像もファイルもありません。
menu-transcribe-none = このメッセージには録音も動画もありません。
menu-describe = 説明する
menu-describe-wish = これを説明して。
menu-read = 読み上げる
menu-read-wish = これを読み上げて。
menu-transcribe = 文字に起こす
menu-transcribe-wish = これを文字に起こして。
menu-translate = 翻訳する
menu-translate-wish = これを日本語に翻訳して。
menu-summarize = 要約する
menu-summarize-wish = これを要約して。
menu-thread = スレッドを要約する
menu-thread-wish = このスレッドを要約して。
tasks-extra = { $what } でインストールして再起動する
tasks-needs = { $what }が必要です
tasks-none = 今、ここで使えるものはありません。
tasks-works = ここで使えるもの:
tasks-missing = まだ使えないものと、使えるようにする方法:
tasks-set-up = ファイルを編集しなくても、できることを増やせます：[できることを増やす](#/setup)。
tasks-more = 管理者が有効にできるものが、ほかに { $count } 件あります。
tasks-pick = 詳しく見る…
models-heading = ここで使えるモデル:
models-for = { $kind }:
models-pick = 用途を選ぶ…
models-rest = ほかに { $count } 件。探すには models の後に名前の一部を書いてください。
setting-mention-value = { $value ->
    [always] 常に
    [threads] 参加しているスレッドでは不要
   *[default] 全体の設定どおり
  }
setting-listen-value = { $value ->
    [threads] 参加しているスレッドで
    [all] このチャンネル全体で
   *[default] 全体の設定どおり
  }
setting-language-value = { $value ->
    [default] 依頼の言語
   *[other] { $value }
  }
setting-learn-value = { $value ->
    [workspace] ここ全体
    [channel] このチャンネル
    [off] なし
   *[default] 全体の設定どおり
  }
setting-licence-value = { $value ->
    [commercial] 商用利用できるもの
   *[default] すべて
  }
settings-whose = 管理者が変更できます。
option-about = 何についてか
