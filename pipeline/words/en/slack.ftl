# What only Slack gives occasion to say.
slack-status = is working on it …
slack-loading =
    Reading your message …
    Planning the steps …
    Choosing a model for each step …
    Running the steps …
slack-prompt-draw = Draw a picture
slack-prompt-draw-text = Draw a lighthouse at dawn.
slack-prompt-poem = Write a poem and read it aloud
slack-prompt-poem-text = Write a short poem about the sea and read it aloud.
slack-prompt-translate = Translate a sentence
slack-prompt-translate-text = Translate "Where is the station?" into French.
slack-prompt-mood = Judge the mood of a review
slack-prompt-mood-text = What is the sentiment of this review? "The room was lovely and the staff was kind."
slack-prompt-read = Read a text aloud
slack-prompt-read-text = Read this aloud: "Good morning, everyone. The meeting starts at ten."
slack-prompt-help = What can you do?
slack-unreachable = Slack could not be reached from this machine. Is it online, or behind a proxy?
slack-refused = { $code ->
    [is_archived] The channel is archived.
    [channel_not_found] The channel is gone, or I may not see it.
    [not_in_channel] I am not in the channel any more.
    [restricted_action] I may not write there.
    [restricted_action_read_only_channel] I may not write there.
    [restricted_action_thread_only_channel] I may not write there.
    [restricted_action_thread_locked] The thread is locked.
    [storage_limit_reached] The workspace has no room left for files.
    [file_uploads_disabled] This workspace doesn't allow file uploads.
   *[other] Slack refused { $method }: { $code }
}
slack-scope-missing = I can't do that here: the app lacks the scope { $scope }. An admin can add it.
slack-could-not-answer = I couldn't answer you in { $channel }: { $reason }
slack-about = About { $place }:
slack-not-in-channel = I'm not in this conversation. Invite me with /invite, or send me a direct message.
slack-not-your-channel = I can't tell that you are in this conversation, so I do nothing there.
slack-asked = { $name } asks: { $text }
slack-usage = Write it like this: `{ $usage }`
slack-unknown-word = There is no command “{ $name }”: `{ $slash } help` lists them. To ask for something, write `{ $slash } ask …`.
slack-unknown-command = There is no command “{ $name }”. Did you mean `{ $slash } { $nearest }`? To ask for something that begins with this word, write `{ $slash } ask …`.
slack-which-thread = Which thread do you mean?
slack-pick-thread = Choose a thread
slack-no-threads = I haven't answered in any thread of this channel yet.
slack-form-title = Ask Troupe
slack-form-description = Ask with words and files, from anywhere
slack-form-channel = Where should the answer go?
slack-form-direct = A direct message to you
slack-form-submit = Ask
slack-form-large = { $name } is { $size } MB. I take up to { $limit } MB.
slack-form-empty = Write what you would like.
slack-home-works = What works here
slack-home-requests = Your latest requests
slack-home-none = None yet. Write to me here, or mention me in a channel.
slack-home-all = Show all
slack-home-missing = What does not work yet
slack-home-settings = Settings of a channel
slack-home-choose = Choose a channel to see or change its settings.
slack-home-channel = Choose a channel
slack-home-change = Change
slack-form-close = Close
slack-file-sign-in = Slack sent its sign-in page instead of { $name }: the app lacks the scope files:read, or has no access to the file.
slack-file-elsewhere = { $name } is stored with another service ({ $host }), which I can't access. Please upload it here.
slack-file-gone = The file { $name } no longer exists in Slack.
slack-bot-token-wrong = SLACK_BOT_TOKEN does not work ({ $code }). Take the "Bot User OAuth Token" from { $link }
slack-app-token-wrong = SLACK_APP_TOKEN does not work ({ $code }). Make one with the scope connections:write at { $link }
slack-revoked = The app was removed from the workspace, or its token was revoked. Install it again at { $link }
slack-not-installed = The app is not installed in this workspace ({ $team }) any more.
slack-rotation = This app uses token rotation, which Troupe does not support and Slack cannot turn off again. Create the app anew from the manifest that `troupe slack manifest` prints.
slack-secret-key-bad = TROUPE_SECRET_KEY is not a Fernet key. Make one with: { $command }
slack-secret-key-wrong = TROUPE_SECRET_KEY does not decrypt the tokens of the installed Slack workspaces. Add the old key after the new one, separated by a comma.
