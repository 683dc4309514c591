# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } is overloaded at the moment
llm-broken = { $model } failed
llm-too-slow = { $model } did not answer in time
llm-unreachable = { $model } could not be reached
llm-key-refused = the access key for { $model } was refused
llm-credit-used-up = the account has no credit left for { $model }
llm-access-refused = this account may not use { $model }
llm-model-gone = { $model } does not exist there
llm-request-refused = { $model } refused the request
llm-too-long = the request is too long for { $model }
llm-filtered = { $model } refused the content
llm-garbled = { $model } sent an answer that can't be read
llm-cut-short = { $model } stopped before its reply was complete
llm-cannot = { $model } can't do { $kind }
llm-sees-nothing = { $model } doesn't take pictures
llm-file-unfit = { $model } can't read this type of file ({ $type })
llm-nothing-given = { $kind } got no input
