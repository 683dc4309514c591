# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } has too much to do at the moment
llm-broken = { $model } broke down
llm-too-slow = { $model } did not answer in time
llm-unreachable = { $model } could not be reached
llm-key-refused = the access key for { $model } was refused
llm-credit-used-up = the account's credit for { $model } is used up
llm-access-refused = this account may not use { $model }
llm-model-gone = { $model } does not exist there
llm-request-refused = { $model } refused the request
llm-too-long = the request is too long for { $model }
llm-filtered = { $model } refused the content
llm-garbled = { $model } answered something that cannot be read
llm-cannot = { $model } cannot do { $kind }
llm-sees-nothing = { $model } takes no pictures
llm-file-unfit = { $model } cannot read this kind of file ({ $type }) by itself
llm-nothing-given = { $kind } was given nothing to work on
