# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } は今混み合っています
llm-broken = { $model } で障害が起きました
llm-too-slow = { $model } が時間内に答えませんでした
llm-unreachable = { $model } に接続できませんでした
llm-key-refused = { $model } のアクセスキーが拒否されました
llm-credit-used-up = { $model } に使うアカウントの残高がなくなりました
llm-access-refused = このアカウントでは { $model } を使えません
llm-model-gone = { $model } はそこにはありません
llm-request-refused = { $model } が依頼を拒否しました
llm-too-long = 依頼が { $model } には長すぎます
llm-filtered = { $model } が内容を拒否しました
llm-garbled = { $model } の回答を読み取れません
llm-cut-short = { $model } は回答を終える前に止まりました
llm-cannot = { $model } は{ $kind }に対応していません
llm-sees-nothing = { $model } は画像に対応していません
llm-file-unfit = { $model } はこの種類のファイル（{ $type }）をそのままでは読めません
llm-nothing-given = { $kind }：処理するものがありませんでした
