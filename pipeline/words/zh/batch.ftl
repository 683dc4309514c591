# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = 无法读取 { $file }：{ $problem }
row-not-json = 第 { $line } 行不是 JSON。
row-no-object = 第 { $line } 行不是 JSON 对象。
row-no-request = 第 { $line } 行没有包含文字的 "user_request"。
row-broke = 处理第 { $line } 行时程序自身出了故障，详见日志。
rows-no-llm = 没有可用于规划的语言模型：请设置 HF_TOKEN、OPENAI_BASE_URL 或 OPENAI_API_KEY。
rows-not-labelled = { $file } 中没有一行是带标注的请求。
judge-garbled = { $model } 没有按要求的格式评判。
rows-not-written = 无法写入 { $file }：{ $problem }
sheet-no-column = 表格中没有“{ $column }”列。
sheet-no-mark = 第 { $row } 行：“{ $cell }”既不是 1 也不是 0。没有意见时请留空。
