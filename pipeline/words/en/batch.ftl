# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = { $file } could not be read: { $problem }
row-not-json = Line { $line } is not JSON.
row-no-object = Line { $line } is not a JSON object.
row-no-request = Line { $line } has no "user_request" with words in it.
row-broke = The program itself failed at line { $line }. See the log.
rows-no-llm = There is no language model to plan with: set HF_TOKEN, OPENAI_BASE_URL or OPENAI_API_KEY.
rows-not-labelled = No line of { $file } is a labelled request.
judge-garbled = { $model }'s verdict was not in the expected form.
rows-not-written = { $file } could not be written: { $problem }
sheet-no-column = The sheet has no column "{ $column }".
sheet-no-mark = Row { $row }: "{ $cell }" is neither 1 nor 0. Leave the cell empty if there is no opinion.
