# The set-up of the program by whoever runs it, and what the page offers to begin with.
setup-not-here = This works only for whoever runs Troupe, in a browser on the same machine.
setup-too-often = That was tried often in a short time. Please wait a minute, then try again.
setup-key-missing = Paste a key first.
setup-odd-key = This can't be a key or a token: they are one word of at least eight letters, digits and signs, without blanks.
setup-too-long = This is too long.
setup-whose-key = I can't tell by the key which service it is for. Please choose the service.
setup-address-missing = Enter the address of the server, for example https://example.com/v1.
setup-slack-bot-token = The bot token begins with xoxb-. Slack shows it under “Install App”, after the app is installed.
setup-slack-app-token = The app token begins with xapp-. Slack makes it under “Basic Information”, “App-Level Tokens”.
setup-replicas = Another Troupe works on the same database, and .env counts for this machine only. Change settings where each of them is started.
setup-in-environment = { $names } is set in the environment, which counts more than the file .env. Change it where Troupe is started.
setup-in-toml = { $names } is set in troupe.toml and would have to be taken out there.
setup-unwritten = Everything was checked and works, but nothing was saved. { $problem } Add these lines to { $file } and start Troupe again: { $lines }
setup-file-away = { $file } can't be read or written: { $problem }.
setup-unreadable-value = { $name } can't be written to .env: the value has signs that would be read as something else.
setup-nothing-to-undo = There is nothing to undo.
setup-put-back = The new settings did not start, so the ones before are back. { $problem }
setup-llm-on = { $model } plans and answers. { $sees ->
    [yes] It sees pictures.
   *[no] It does not see pictures.
  }
setup-llm-off = No language model: the built-in planner understands simple requests, but can't chat, write or translate.
setup-llm-closed = TROUPE_CONTROLLER is off: no language model plans.
setup-hosted-on = Models of Hugging Face can be used.
setup-hosted-off = No token of Hugging Face: its models can't be used.
setup-local-on = Models run on this machine, at { $address }.
setup-local-none = Everything for models on this machine is installed, but there is no model yet.
setup-local-off = No models run on this machine.
setup-slack-on = Slack is connected.
setup-slack-off = Slack is not connected.
setup-discord-on = Discord is connected.
setup-discord-off = Discord is not connected.
start-draw = Have a picture drawn
start-draw-text = Draw a lighthouse at dusk, as a watercolour
start-poem = Have a poem written and read
start-poem-text = Write a poem of four lines about the sea and read it aloud
start-invoice = Have an invoice read to you
start-invoice-text = Read the total on this invoice aloud
start-look = Have a picture described
start-look-text = What is in this picture?
start-translate = Translate something
start-translate-text = Translate into French and Japanese: “The early bird catches the worm.”
start-sketch = Make a picture a pencil sketch
start-sketch-text = Make this picture a pencil sketch
start-mood = Find out how a review feels
start-mood-text = What is the sentiment of this review? “The room was lovely and the breakfast even better, but it took us an hour to check in.”
setup-too-slow = The new settings took too long to start.
setup-needs-key = A token of Hugging Face, or a key for a language model.
setup-needs-hub = A token of Hugging Face, or models on this machine.
setup-needs-local = Models on this machine.
setup-sharing-on = Conversations of the page can be shared by a link.
setup-sharing-off = Conversations of the page can't be shared.
setup-mend-key = Check the key and the account at the service, then paste the key again.
setup-mend-address = Enter { $value } as the address.
setup-mend-model = { $named ->
    [true] Choose the model { $value }, or another that the server has.
   *[false] Choose a model that the server has.
  }
setup-mend-blind = Pictures are not sent to it.
