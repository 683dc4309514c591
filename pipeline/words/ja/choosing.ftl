# モデルを選んだ理由、選ばなかった理由。
chosen-named = ご指定のモデル
chosen-before = 前の回答と同じ
named-unknown = { $name } というモデルは見つかりません。別のモデルを使いました。
named-unused = { $name } は使いませんでした：{ $reason }
named-other-kind = { $name } は別の種類のタスク（{ $kind }）用のため、使いませんでした。
named-nowhere = { $name } を提供しているところがないため、今はここで動かせません。
policy-not-allowed = ここで許可されたモデルに含まれていません。
policy-denied = ここでは許可されていません。
policy-licence = ライセンス（{ $licence }）が商用利用を認めているか確認できません。
policy-language = ここで必要な言語に対応していません。
policy-provider = ここで許可された提供元にはありません。
