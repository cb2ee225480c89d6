# Completes salon in PowerShell. Made by: salon completion powershell

Register-ArgumentCompleter -Native -CommandName salon -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Where a word leads from a command.
    $salonSteps = [System.Collections.Generic.Dictionary[string, object]]::new()
    $salonSteps['appointments'] = 'appointments'
    $salonSteps['appointment'] = 'appointments'
    $salonSteps['appointments list'] = 'appointments list'
    $salonSteps['appointments calendar'] = 'appointments calendar'
    $salonSteps['appointments get'] = 'appointments get'
    $salonSteps['appointments create'] = 'appointments create'
    $salonSteps['appointments update'] = 'appointments update'
    $salonSteps['appointments cancel'] = 'appointments cancel'
    $salonSteps['clients'] = 'clients'
    $salonSteps['client'] = 'clients'
    $salonSteps['clients list'] = 'clients list'
    $salonSteps['clients get'] = 'clients get'
    $salonSteps['clients create'] = 'clients create'
    $salonSteps['clients update'] = 'clients update'
    $salonSteps['clients delete'] = 'clients delete'
    $salonSteps['stylists'] = 'stylists'
    $salonSteps['stylist'] = 'stylists'
    $salonSteps['stylists list'] = 'stylists list'
    $salonSteps['stylists get'] = 'stylists get'
    $salonSteps['stylists create'] = 'stylists create'
    $salonSteps['stylists update'] = 'stylists update'
    $salonSteps['payments'] = 'payments'
    $salonSteps['payment'] = 'payments'
    $salonSteps['payments list'] = 'payments list'
    $salonSteps['payments get'] = 'payments get'
    $salonSteps['payments record'] = 'payments record'
    $salonSteps['payments refund'] = 'payments refund'
    $salonSteps['webhooks'] = 'webhooks'
    $salonSteps['webhook'] = 'webhooks'
    $salonSteps['webhooks list'] = 'webhooks list'
    $salonSteps['webhooks get'] = 'webhooks get'
    $salonSteps['webhooks create'] = 'webhooks create'
    $salonSteps['webhooks update'] = 'webhooks update'
    $salonSteps['webhooks delete'] = 'webhooks delete'
    $salonSteps['webhooks rotate'] = 'webhooks rotate'
    $salonSteps['webhooks test'] = 'webhooks test'
    $salonSteps['webhooks deliveries'] = 'webhooks deliveries'
    $salonSteps['webhooks redeliver'] = 'webhooks redeliver'
    $salonSteps['webhooks listen'] = 'webhooks listen'
    $salonSteps['webhooks replay'] = 'webhooks replay'
    $salonSteps['webhooks verify'] = 'webhooks verify'
    $salonSteps['webhooks trigger'] = 'webhooks trigger'
    $salonSteps['jobs'] = 'jobs'
    $salonSteps['job'] = 'jobs'
    $salonSteps['jobs list'] = 'jobs list'
    $salonSteps['jobs show'] = 'jobs show'
    $salonSteps['jobs apply'] = 'jobs apply'
    $salonSteps['jobs resume'] = 'jobs resume'
    $salonSteps['jobs undo'] = 'jobs undo'
    $salonSteps['jobs results'] = 'jobs results'
    $salonSteps['auth'] = 'auth'
    $salonSteps['auth login'] = 'auth login'
    $salonSteps['auth logout'] = 'auth logout'
    $salonSteps['auth status'] = 'auth status'
    $salonSteps['profiles'] = 'profiles'
    $salonSteps['profile'] = 'profiles'
    $salonSteps['profiles list'] = 'profiles list'
    $salonSteps['profiles show'] = 'profiles show'
    $salonSteps['profiles use'] = 'profiles use'
    $salonSteps['profiles set'] = 'profiles set'
    $salonSteps['profiles remove'] = 'profiles remove'
    $salonSteps['whoami'] = 'whoami'
    $salonSteps['limits'] = 'limits'
    $salonSteps['api'] = 'api'
    $salonSteps['demo'] = 'demo'
    $salonSteps['service'] = 'service'
    $salonSteps['service start'] = 'service start'
    $salonSteps['service seed'] = 'service seed'
    $salonSteps['service backup'] = 'service backup'
    $salonSteps['service account'] = 'service account'
    $salonSteps['service account create'] = 'service account create'
    $salonSteps['service key'] = 'service key'
    $salonSteps['service key create'] = 'service key create'
    $salonSteps['service key revoke'] = 'service key revoke'
    $salonSteps['completion'] = 'completion'
    $salonSteps['help'] = 'help'

    # What is below a command.
    $salonChildren = [System.Collections.Generic.Dictionary[string, object]]::new()
    $salonChildren[''] = @(
        , @('appointments', 'Who comes when, to whom, for what')
        , @('clients', 'The people a salon looks after')
        , @('stylists', 'The people whose time is booked')
        , @('payments', 'What was paid, and what was given back')
        , @('webhooks', 'What a salon tells other programs as it happens')
        , @('jobs', 'Long work that was begun: how it stands, and going on with it')
        , @('auth', 'Sign in to a salon, and out')
        , @('profiles', 'Which salons this machine knows')
        , @('whoami', 'Say which profile, account and role is in use')
        , @('limits', 'Show what is left of the hour’’s requests')
        , @('api', 'Send any request with the profile’’s credentials')
        , @('demo', 'Make a sample salon inside this program, and a profile for it')
        , @('service', 'Host a salon: run the service, its accounts, keys and data')
        , @('completion', 'Print a script that completes salon’’s commands in a shell')
        , @('help', 'Show help for a command, or the table of exit codes')
    )
    $salonChildren['appointments'] = @(
        , @('list', 'List appointments, over all pages')
        , @('calendar', 'Draw a day as a calendar: stylists across, time down; in a pipe, a row for each appointment')
        , @('get', 'Show one appointment')
        , @('create', 'Book an appointment, or every one of a sheet')
        , @('update', 'Move an appointment, or change what else it is; what is not named stays as it is')
        , @('cancel', 'Cancel an appointment and free its stylist’’s time; this is not undone')
    )
    $salonChildren['clients'] = @(
        , @('list', 'List clients, over all pages')
        , @('get', 'Show one client, and to people their appointments and what they paid')
        , @('create', 'Add a client, or every client of a sheet')
        , @('update', 'Change fields of a client, or of every client that a sheet names; the others stay as they are')
        , @('delete', 'Remove a client, or every client that a sheet names, and erase their personal data')
    )
    $salonChildren['stylists'] = @(
        , @('list', 'List stylists, also those who have left')
        , @('get', 'Show one stylist')
        , @('create', 'Add a stylist, who can be booked at once')
        , @('update', 'Change fields of a stylist; the others stay as they are')
    )
    $salonChildren['payments'] = @(
        , @('list', 'List payments, over all pages')
        , @('get', 'Show one payment')
        , @('record', 'Record what was paid; amounts are as people write them, with --set amount:= in minor units')
        , @('refund', 'Give a payment back, the tip with it: what is named, or everything that is left')
    )
    $salonChildren['webhooks'] = @(
        , @('list', 'List webhooks, also those that are switched off')
        , @('get', 'Show one webhook')
        , @('create', 'Have events sent to an address as they happen; the secret they are signed with is shown once')
        , @('update', 'Change where a webhook leads and what it is told; what is not named stays as it is')
        , @('delete', 'Remove a webhook, and what is on its way to it')
        , @('rotate', 'Give a webhook another secret; the one before it signs too, for another 24 hours')
        , @('test', 'Send a webhook.test event to one webhook, and say what it answered')
        , @('deliveries', 'List what was sent to a webhook, and what it answered; kept for 30 days')
        , @('redeliver', 'Send events once more: those of some deliveries, or of all that a webhook had in a time')
        , @('listen', 'Receive webhooks here as they happen, and hand them on')
        , @('replay', 'Send recorded webhooks once more, byte for byte')
        , @('verify', 'Say whether a webhook that came is genuine, and if not, why')
        , @('trigger', 'Send a sample event to a program that takes webhooks')
    )
    $salonChildren['jobs'] = @(
        , @('list', 'List the jobs of this machine, the newest first')
        , @('show', 'Show what a job is to do, and how it stands')
        , @('apply', 'Carry out exactly what a plan says; rows that somebody has changed since stay as they are')
        , @('resume', 'Go on with a job where it stopped; one that is done stays as it is')
        , @('undo', 'Put back what a bulk edit has changed; what somebody has changed since stays as it is')
        , @('results', 'Show what became of every row of a bulk edit')
    )
    $salonChildren['auth'] = @(
        , @('login', 'Try an API key and keep it in a profile')
        , @('logout', 'Forget the key of a profile; its settings stay')
        , @('status', 'Say whether the key in use is accepted')
    )
    $salonChildren['profiles'] = @(
        , @('list', 'List the profiles')
        , @('show', 'Show every setting in force, and where each came from')
        , @('use', 'Work with this profile when none is named')
        , @('set', 'Change a setting of a profile')
        , @('remove', 'Forget a profile and its key')
    )
    $salonChildren['service'] = @(
        , @('start', 'Run the service until it is told to stop (Ctrl-C or SIGTERM)')
        , @('seed', 'Add sample stylists, clients, appointments and their payments; the same for the same seed')
        , @('backup', 'Copy the database into a new file, whole, while the service goes on')
        , @('account', 'The accounts of a database')
        , @('key', 'The API keys of a database')
    )
    $salonChildren['service account'] = @(
        , @('create', 'Make an account, and the database when it is new')
    )
    $salonChildren['service key'] = @(
        , @('create', 'Make an API key; it is shown this once')
        , @('revoke', 'End an API key at once')
    )

    # The flags of a command; of all of them under *.
    $salonFlags = [System.Collections.Generic.Dictionary[string, object]]::new()
    $salonFlags['*'] = @(
        , @('-V', 'print the version')
        , @('--version', 'print the version')
        , @('-p', 'which profile to work with (SALON_PROFILE)')
        , @('--profile', 'which profile to work with (SALON_PROFILE)')
        , @('--base-url', 'address of the salon for this call (SALON_BASE_URL)')
        , @('-f', 'how data is printed')
        , @('--format', 'how data is printed')
        , @('--json', 'the same as --format json')
        , @('-q', 'say nothing beside the data')
        , @('--quiet', 'say nothing beside the data')
        , @('-v', 'say more')
        , @('--verbose', 'say more')
        , @('--debug', 'show every request and answer, secrets masked')
        , @('--timeout', 'patience for one request, such as 30s')
        , @('--retries', 'how often a request is tried again')
        , @('--max-wait', 'patience for all waiting of a command, such as 10m')
        , @('--rate', 'requests it may send an hour, in bursts if it likes: 5000/h')
        , @('--concurrency', 'requests side by side')
        , @('--no-color', 'no colour (also NO_COLOR)')
        , @('--plain', 'for screen readers: whole lines, no drawn tables, no spinner (SALON_PLAIN)')
        , @('--no-pager', 'print long tables straight, not through PAGER')
        , @('--no-input', 'never ask; fail instead (SALON_NO_INPUT)')
        , @('-h', 'show help')
        , @('--help', 'show help')
    )
    $salonFlags['appointments list'] = @(
        , @('--client', 'of this client')
        , @('--stylist', 'with this stylist')
        , @('--status', 'in one of these statuses, such as confirmed,arrived')
        , @('--from', 'starting at or after: today, +7d, 2026-11-21, an instant')
        , @('--to', 'starting before; a bare day is counted to its end')
        , @('--updated-since', 'changed at or after')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
        , @('--limit', 'stop after n records')
        , @('--param', 'a further query parameter, as it is; repeatable')
        , @('--sort', 'order by a field; -field for the other way round')
        , @('--consistent', 'read again until two passes agree on the records, five times at most')
        , @('--manifest', 'with --output: also write <file>.manifest.json with counts and a checksum')
        , @('--shard', 'write only the i-th of n parts, by identifier; each reads the whole list')
        , @('--since-last', 'only what was changed since the export that wrote --state')
        , @('--state', 'where --since-last keeps up to when everything was exported')
        , @('--overlap', 'how far --since-last reaches back behind that; 2m when left out')
    )
    $salonFlags['appointments calendar'] = @(
        , @('--day', 'the same as the argument')
        , @('--week', 'the week around that day, Monday to Sunday: how full it is, or one stylist’’s blocks')
        , @('--stylist', 'only this stylist, by identifier or name; repeatable')
        , @('--status', 'only in one of these statuses, such as confirmed,arrived')
        , @('--all', 'also what is cancelled or a no-show')
        , @('--no-names', 'clients by their identifiers: saves the requests for their names')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['appointments get'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['appointments create'] = @(
        , @('--client', 'whose appointment it is')
        , @('--stylist', 'whose time it takes')
        , @('--service', 'what is booked')
        , @('--start', 'an instant with a zone, or a time in the salon’’s zone: 2026-11-24T10:30')
        , @('--duration', 'how long: 45, 45m, 1h30m, PT45M')
        , @('--status', 'how it stands; a new one is confirmed')
        , @('--notes', 'anything worth remembering')
        , @('--allow-overlap', 'book although the stylist is taken')
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--from', 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input')
        , @('--sheet-format', 'with --from: how the sheet is written, not what it looks like')
        , @('--guarded', 'with --from: take off the '' that an --excel export put before formulas')
        , @('--no-guarded', 'with --from: a '' before a formula belongs to the text')
        , @('--allow-new-fields', 'with --from: send columns that neither salon nor the server knows')
        , @('--plan', 'with --from: write the plan there, send nothing; see "salon jobs apply"')
        , @('--rehearse', 'with --from: carry the plan out on a copy in an embedded service, send nothing')
        , @('--faults', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout')
        , @('--max-changes', 'refuse a plan that changes more records: 50, or 5%')
        , @('--max-clears', 'refuse a plan that empties more fields')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['appointments update'] = @(
        , @('--client', 'whose appointment it is')
        , @('--stylist', 'whose time it takes')
        , @('--service', 'what is booked')
        , @('--start', 'an instant with a zone, or a time in the salon’’s zone: 2026-11-24T10:30')
        , @('--duration', 'how long: 45, 45m, 1h30m, PT45M')
        , @('--status', 'how it stands; a new one is confirmed')
        , @('--notes', 'anything worth remembering')
        , @('--allow-overlap', 'book although the stylist is taken')
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--partial', 'send only the changes, for a server known to merge')
        , @('--exit-code', 'with --dry-run: exit 9 when something would change')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['appointments cancel'] = @(
        , @('--reason', 'why, kept with the appointment')
        , @('-n', 'show what would change, cancel nothing')
        , @('--dry-run', 'show what would change, cancel nothing')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['clients list'] = @(
        , @('--search', 'part of a name, an e-mail address or a phone number')
        , @('--email', 'exactly this e-mail address')
        , @('--phone', 'exactly this phone number')
        , @('--updated-since', 'changed at or after: 2026-11-21, -7d, an instant')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
        , @('--limit', 'stop after n records')
        , @('--param', 'a further query parameter, as it is; repeatable')
        , @('--sort', 'order by a field; -field for the other way round')
        , @('--consistent', 'read again until two passes agree on the records, five times at most')
        , @('--manifest', 'with --output: also write <file>.manifest.json with counts and a checksum')
        , @('--shard', 'write only the i-th of n parts, by identifier; each reads the whole list')
        , @('--since-last', 'only what was changed since the export that wrote --state')
        , @('--state', 'where --since-last keeps up to when everything was exported')
        , @('--overlap', 'how far --since-last reaches back behind that; 2m when left out')
    )
    $salonFlags['clients get'] = @(
        , @('--history', 'the history in JSON too, as a member of that name')
        , @('--no-history', 'the record alone: saves the requests for the history')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['clients create'] = @(
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--from', 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input')
        , @('--sheet-format', 'with --from: how the sheet is written, not what it looks like')
        , @('--guarded', 'with --from: take off the '' that an --excel export put before formulas')
        , @('--no-guarded', 'with --from: a '' before a formula belongs to the text')
        , @('--allow-new-fields', 'with --from: send columns that neither salon nor the server knows')
        , @('--plan', 'with --from: write the plan there, send nothing; see "salon jobs apply"')
        , @('--rehearse', 'with --from: carry the plan out on a copy in an embedded service, send nothing')
        , @('--faults', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout')
        , @('--max-changes', 'refuse a plan that changes more records: 50, or 5%')
        , @('--max-clears', 'refuse a plan that empties more fields')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['clients update'] = @(
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--partial', 'send only the changes, for a server known to merge')
        , @('--exit-code', 'with --dry-run: exit 9 when something would change')
        , @('--match', 'with --from: find the records by this field instead of id')
        , @('--from', 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input')
        , @('--sheet-format', 'with --from: how the sheet is written, not what it looks like')
        , @('--guarded', 'with --from: take off the '' that an --excel export put before formulas')
        , @('--no-guarded', 'with --from: a '' before a formula belongs to the text')
        , @('--allow-new-fields', 'with --from: send columns that neither salon nor the server knows')
        , @('--plan', 'with --from: write the plan there, send nothing; see "salon jobs apply"')
        , @('--rehearse', 'with --from: carry the plan out on a copy in an embedded service, send nothing')
        , @('--faults', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout')
        , @('--max-changes', 'refuse a plan that changes more records: 50, or 5%')
        , @('--max-clears', 'refuse a plan that empties more fields')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['clients delete'] = @(
        , @('--force', 'cancel upcoming appointments first')
        , @('--ignore-missing', 'succeed when there is no such client')
        , @('-n', 'show who would be removed, remove nobody')
        , @('--dry-run', 'show who would be removed, remove nobody')
        , @('--match', 'with --from: find the records by this field instead of id')
        , @('--from', 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input')
        , @('--sheet-format', 'with --from: how the sheet is written, not what it looks like')
        , @('--guarded', 'with --from: take off the '' that an --excel export put before formulas')
        , @('--no-guarded', 'with --from: a '' before a formula belongs to the text')
        , @('--allow-new-fields', 'with --from: send columns that neither salon nor the server knows')
        , @('--plan', 'with --from: write the plan there, send nothing; see "salon jobs apply"')
        , @('--rehearse', 'with --from: carry the plan out on a copy in an embedded service, send nothing')
        , @('--faults', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout')
        , @('--max-changes', 'refuse a plan that changes more records: 50, or 5%')
        , @('--max-clears', 'refuse a plan that empties more fields')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
    )
    $salonFlags['stylists list'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
        , @('--limit', 'stop after n records')
        , @('--param', 'a further query parameter, as it is; repeatable')
        , @('--sort', 'order by a field; -field for the other way round')
    )
    $salonFlags['stylists get'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['stylists create'] = @(
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['stylists update'] = @(
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--partial', 'send only the changes, for a server known to merge')
        , @('--exit-code', 'with --dry-run: exit 9 when something would change')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['payments list'] = @(
        , @('--client', 'of this client')
        , @('--appointment', 'for this appointment')
        , @('--status', 'in one of these statuses, such as pending,failed')
        , @('--from', 'recorded at or after: today, -7d, 2026-11-21, an instant')
        , @('--to', 'recorded before; a bare day is counted to its end')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
        , @('--limit', 'stop after n records')
        , @('--param', 'a further query parameter, as it is; repeatable')
        , @('--sort', 'order by a field; -field for the other way round')
        , @('--consistent', 'read again until two passes agree on the records, five times at most')
        , @('--manifest', 'with --output: also write <file>.manifest.json with counts and a checksum')
        , @('--shard', 'write only the i-th of n parts, by identifier; each reads the whole list')
    )
    $salonFlags['payments get'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['payments record'] = @(
        , @('--appointment', 'what was paid for; its client paid')
        , @('--client', 'who paid, where it was for no appointment')
        , @('--amount', 'how much, as people write it: 45 or 45.00')
        , @('--currency', 'of which money: EUR, USD, JPY')
        , @('--tip', 'how much beside it, for the stylist')
        , @('--method', 'how: cash, card, gift_card, other')
        , @('--status', 'how it stands; a new one is completed')
        , @('--reference', 'what a terminal or a till calls it')
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['payments refund'] = @(
        , @('--amount', 'how much of it, as people write it: 10 or 10.00')
        , @('-n', 'show what would be given back, give back nothing')
        , @('--dry-run', 'show what would be given back, give back nothing')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks list'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
        , @('--limit', 'stop after n records')
        , @('--param', 'a further query parameter, as it is; repeatable')
    )
    $salonFlags['webhooks get'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks create'] = @(
        , @('--events', 'what it is told of: *, a family such as booking.*, or names of events')
        , @('--description', 'what it is for')
        , @('--secret-file', 'keep the secret in a new file that only you can read, and show it nowhere')
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks update'] = @(
        , @('--url', 'where events are sent to from now on')
        , @('--events', 'what it is told of: *, a family such as booking.*, or names of events')
        , @('--description', 'what it is for')
        , @('--active', 'tell it again')
        , @('--inactive', 'tell it nothing until it is active again')
        , @('--set', 'a field; field:=json for anything but text; repeatable')
        , @('--data', 'fields as a JSON object, @file, or - for standard input')
        , @('-n', 'show what would be sent, send nothing')
        , @('--dry-run', 'show what would be sent, send nothing')
        , @('--partial', 'send only the changes, for a server known to merge')
        , @('--exit-code', 'with --dry-run: exit 9 when something would change')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks delete'] = @(
        , @('--ignore-missing', 'succeed when there is no such webhook')
        , @('-n', 'show which webhook it would be, remove nothing')
        , @('--dry-run', 'show which webhook it would be, remove nothing')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
    )
    $salonFlags['webhooks rotate'] = @(
        , @('-n', 'show which webhook it would be, change nothing')
        , @('--dry-run', 'show which webhook it would be, change nothing')
        , @('--secret-file', 'keep the secret in a new file that only you can read, and show it nowhere')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks test'] = @(
        , @('--no-wait', 'do not wait for the answer')
        , @('-n', 'show which webhook it would be, send nothing')
        , @('--dry-run', 'show which webhook it would be, send nothing')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks deliveries'] = @(
        , @('--status', 'pending, delivered or failed')
        , @('--from', 'made at or after: today, -7d, 2026-11-21, an instant')
        , @('--to', 'made before; a bare day is counted to its end')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
        , @('--limit', 'stop after n records')
        , @('--param', 'a further query parameter, as it is; repeatable')
    )
    $salonFlags['webhooks redeliver'] = @(
        , @('--webhook', 'the webhook whose deliveries are sent once more')
        , @('--from', 'those made at or after: today, -2h, 2026-11-21T09:30, an instant')
        , @('--to', 'those made before; a bare day is counted to its end')
        , @('--status', 'those pending, delivered or failed')
        , @('-n', 'show which they are, send nothing')
        , @('--dry-run', 'show which they are, send nothing')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks listen'] = @(
        , @('--forward-to', 'hand each on to this address, as it came')
        , @('--events', 'which events: booking.*, or names; all when left out')
        , @('--record', 'add each to this file, for "salon webhooks replay"')
        , @('--keep', 'keep the endpoint in the end, and say next time what was missed')
        , @('--port', 'port to listen on; 0 for any')
        , @('--host', 'address to listen on')
        , @('--public-url', 'where a service elsewhere reaches this: the address of a tunnel')
        , @('--secret-file', 'register nothing: take what is signed with this (SALON_WEBHOOK_SECRET)')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
    )
    $salonFlags['webhooks replay'] = @(
        , @('--forward-to', 'where to send them')
        , @('--events', 'only these: booking.*, or names')
        , @('--since', 'only what was received from then on')
        , @('--sign-with', 'sign anew with the secret in this file, and with the present time')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks verify'] = @(
        , @('--headers', 'its headers, as lines or a JSON object; - for standard input')
        , @('--body', 'its body, the very bytes that came; - for standard input')
        , @('--secret-file', 'the secret, or several, a line each (SALON_WEBHOOK_SECRET)')
        , @('--scheme', 'how it is signed; seen from the headers when left out')
        , @('--url', 'where it was sent to, as registered; for Square')
        , @('--at', 'judge by this time, not by now: when it came')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['webhooks trigger'] = @(
        , @('--to', 'where to send it; left out, the event is printed')
        , @('--secret-file', 'the secret it is signed with (SALON_WEBHOOK_SECRET); made up when left out')
        , @('--set', 'a field of its record; field:=json for anything but text; repeatable')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['jobs list'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['jobs show'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['jobs apply'] = @(
        , @('--rehearse', 'carry it out on a copy in an embedded service, send nothing')
        , @('--faults', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout')
        , @('-n', 'show what would be changed, send nothing')
        , @('--dry-run', 'show what would be changed, send nothing')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('--max-changes', 'refuse a plan that changes more records: 50, or 5%')
        , @('--max-clears', 'refuse a plan that empties more fields')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
    )
    $salonFlags['jobs resume'] = @(
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
    )
    $salonFlags['jobs undo'] = @(
        , @('-n', 'show what would be put back, send nothing')
        , @('--dry-run', 'show what would be put back, send nothing')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
        , @('--max-changes', 'refuse a plan that changes more records: 50, or 5%')
        , @('--max-clears', 'refuse a plan that empties more fields')
        , @('--max-errors', 'bulk edits: stop once so many rows have failed')
    )
    $salonFlags['jobs results'] = @(
        , @('--failed', 'only the rows that did not become as planned')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['auth login'] = @(
        , @('--key-file', 'read the key from a file; - for standard input')
    )
    $salonFlags['profiles list'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['profiles show'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['profiles remove'] = @(
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
    )
    $salonFlags['whoami'] = @(
        , @('--check', 'ask the service; without it nobody is asked')
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['limits'] = @(
        , @('-c', 'which fields, in which order; +all for every field')
        , @('--columns', 'which fields, in which order; +all for every field')
        , @('-o', 'write the data there, whole or not at all')
        , @('--output', 'write the data there, whole or not at all')
        , @('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded')
    )
    $salonFlags['api'] = @(
        , @('--data', 'the body: JSON, @file, or - for standard input')
        , @('--param', 'a query parameter; repeatable')
        , @('--header', 'a further header; repeatable')
        , @('-i', 'say status and headers too, on standard error')
        , @('--include', 'say status and headers too, on standard error')
        , @('--confirm', 'the account it is meant for; a protected profile wants it')
    )
    $salonFlags['demo'] = @(
        , @('--tour', 'also show what can be done with it')
    )
    $salonFlags['service start'] = @(
        , @('--port', 'port to listen on; 0 for any')
        , @('--host', 'address to listen on')
        , @('--public-url', 'the address callers see, behind a proxy')
        , @('--log-level', 'silent, error, warn, info, debug; on standard error')
        , @('--database', 'the database, such as sqlite:salon.db')
    )
    $salonFlags['service seed'] = @(
        , @('--clients', 'how many clients')
        , @('--appointments', 'how many appointments')
        , @('--seed', 'which sample')
        , @('--account', 'whose; not needed while there is one account')
        , @('--database', 'the database, such as sqlite:salon.db')
    )
    $salonFlags['service backup'] = @(
        , @('--to', 'a file that does not exist yet')
        , @('--database', 'the database, such as sqlite:salon.db')
    )
    $salonFlags['service account create'] = @(
        , @('--name', 'what the account is called')
        , @('--plan', 'how many requests an hour it has')
        , @('--limit', 'another number of requests an hour than the plan’’s')
        , @('--database', 'the database, such as sqlite:salon.db')
    )
    $salonFlags['service key create'] = @(
        , @('--name', 'what the key is for')
        , @('--role', 'what it may do')
        , @('--account', 'whose key it is; not needed while there is one account')
        , @('--scopes', 'narrow it further: appointments:read, appointments:write, clients:read, clients:write, stylists:read, stylists:write, payments:read, payments:write, webhooks:read, webhooks:write')
        , @('--expires', 'such as +90d or 2027-01-01; never when left out')
        , @('--stylist', 'with --role stylist: whose calendar it reaches')
        , @('--database', 'the database, such as sqlite:salon.db')
    )
    $salonFlags['service key revoke'] = @(
        , @('--database', 'the database, such as sqlite:salon.db')
        , @('-y', 'do not ask')
        , @('--yes', 'do not ask')
    )

    # What a flag or an argument takes: kind, words.
    $salonValues = [System.Collections.Generic.Dictionary[string, object]]::new()
    $salonValues['* -p'] = @('profile')
    $salonValues['* --profile'] = @('profile')
    $salonValues['* --base-url'] = @('free')
    $salonValues['* -f'] = @('word', 'table', 'json', 'ndjson', 'csv')
    $salonValues['* --format'] = @('word', 'table', 'json', 'ndjson', 'csv')
    $salonValues['* --timeout'] = @('free')
    $salonValues['* --retries'] = @('free')
    $salonValues['* --max-wait'] = @('free')
    $salonValues['* --rate'] = @('free')
    $salonValues['* --concurrency'] = @('free')
    $salonValues['appointments list --client'] = @('free')
    $salonValues['appointments list --stylist'] = @('free')
    $salonValues['appointments list --status'] = @('list', 'pending', 'confirmed', 'arrived', 'in_service', 'completed', 'cancelled', 'no_show')
    $salonValues['appointments list --from'] = @('free')
    $salonValues['appointments list --to'] = @('free')
    $salonValues['appointments list --updated-since'] = @('free')
    $salonValues['appointments list -c'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments list --columns'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments list -o'] = @('file', '')
    $salonValues['appointments list --output'] = @('file', '')
    $salonValues['appointments list --limit'] = @('free')
    $salonValues['appointments list --param'] = @('free')
    $salonValues['appointments list --sort'] = @('word', 'start_time', '-start_time', 'created_at', '-created_at', 'updated_at', '-updated_at')
    $salonValues['appointments list --shard'] = @('free')
    $salonValues['appointments list --state'] = @('file', '')
    $salonValues['appointments list --overlap'] = @('free')
    $salonValues['appointments calendar 0'] = @('free')
    $salonValues['appointments calendar --day'] = @('free')
    $salonValues['appointments calendar --stylist'] = @('free')
    $salonValues['appointments calendar --status'] = @('list', 'pending', 'confirmed', 'arrived', 'in_service', 'completed', 'cancelled', 'no_show')
    $salonValues['appointments calendar -c'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments calendar --columns'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments calendar -o'] = @('file', '')
    $salonValues['appointments calendar --output'] = @('file', '')
    $salonValues['appointments get 0'] = @('free')
    $salonValues['appointments get -c'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments get --columns'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments get -o'] = @('file', '')
    $salonValues['appointments get --output'] = @('file', '')
    $salonValues['appointments create --client'] = @('free')
    $salonValues['appointments create --stylist'] = @('free')
    $salonValues['appointments create --service'] = @('free')
    $salonValues['appointments create --start'] = @('free')
    $salonValues['appointments create --duration'] = @('free')
    $salonValues['appointments create --status'] = @('word', 'pending', 'confirmed', 'arrived', 'in_service', 'completed', 'cancelled', 'no_show')
    $salonValues['appointments create --notes'] = @('free')
    $salonValues['appointments create --set'] = @('assignment', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'allow_overlap')
    $salonValues['appointments create --data'] = @('file', '@')
    $salonValues['appointments create --from'] = @('file', '')
    $salonValues['appointments create --sheet-format'] = @('word', 'csv', 'ndjson', 'json')
    $salonValues['appointments create --plan'] = @('file', '')
    $salonValues['appointments create --faults'] = @('free')
    $salonValues['appointments create --max-changes'] = @('free')
    $salonValues['appointments create --max-clears'] = @('free')
    $salonValues['appointments create --max-errors'] = @('free')
    $salonValues['appointments create --confirm'] = @('free')
    $salonValues['appointments create -c'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments create --columns'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments create -o'] = @('file', '')
    $salonValues['appointments create --output'] = @('file', '')
    $salonValues['appointments update 0'] = @('free')
    $salonValues['appointments update --client'] = @('free')
    $salonValues['appointments update --stylist'] = @('free')
    $salonValues['appointments update --service'] = @('free')
    $salonValues['appointments update --start'] = @('free')
    $salonValues['appointments update --duration'] = @('free')
    $salonValues['appointments update --status'] = @('word', 'pending', 'confirmed', 'arrived', 'in_service', 'completed', 'cancelled', 'no_show')
    $salonValues['appointments update --notes'] = @('free')
    $salonValues['appointments update --set'] = @('assignment', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'allow_overlap')
    $salonValues['appointments update --data'] = @('file', '@')
    $salonValues['appointments update --confirm'] = @('free')
    $salonValues['appointments update -c'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments update --columns'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments update -o'] = @('file', '')
    $salonValues['appointments update --output'] = @('file', '')
    $salonValues['appointments cancel 0'] = @('free')
    $salonValues['appointments cancel --reason'] = @('free')
    $salonValues['appointments cancel --confirm'] = @('free')
    $salonValues['appointments cancel -c'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments cancel --columns'] = @('list', 'id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status', 'notes', 'cancellation_reason', 'created_at', 'updated_at')
    $salonValues['appointments cancel -o'] = @('file', '')
    $salonValues['appointments cancel --output'] = @('file', '')
    $salonValues['clients list --search'] = @('free')
    $salonValues['clients list --email'] = @('free')
    $salonValues['clients list --phone'] = @('free')
    $salonValues['clients list --updated-since'] = @('free')
    $salonValues['clients list -c'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients list --columns'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients list -o'] = @('file', '')
    $salonValues['clients list --output'] = @('file', '')
    $salonValues['clients list --limit'] = @('free')
    $salonValues['clients list --param'] = @('free')
    $salonValues['clients list --sort'] = @('word', 'created_at', '-created_at', 'updated_at', '-updated_at', 'last_name', '-last_name')
    $salonValues['clients list --shard'] = @('free')
    $salonValues['clients list --state'] = @('file', '')
    $salonValues['clients list --overlap'] = @('free')
    $salonValues['clients get 0'] = @('free')
    $salonValues['clients get -c'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients get --columns'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients get -o'] = @('file', '')
    $salonValues['clients get --output'] = @('file', '')
    $salonValues['clients create --set'] = @('assignment', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id')
    $salonValues['clients create --data'] = @('file', '@')
    $salonValues['clients create --from'] = @('file', '')
    $salonValues['clients create --sheet-format'] = @('word', 'csv', 'ndjson', 'json')
    $salonValues['clients create --plan'] = @('file', '')
    $salonValues['clients create --faults'] = @('free')
    $salonValues['clients create --max-changes'] = @('free')
    $salonValues['clients create --max-clears'] = @('free')
    $salonValues['clients create --max-errors'] = @('free')
    $salonValues['clients create --confirm'] = @('free')
    $salonValues['clients create -c'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients create --columns'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients create -o'] = @('file', '')
    $salonValues['clients create --output'] = @('file', '')
    $salonValues['clients update 0'] = @('free')
    $salonValues['clients update --set'] = @('assignment', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id')
    $salonValues['clients update --data'] = @('file', '@')
    $salonValues['clients update --match'] = @('free')
    $salonValues['clients update --from'] = @('file', '')
    $salonValues['clients update --sheet-format'] = @('word', 'csv', 'ndjson', 'json')
    $salonValues['clients update --plan'] = @('file', '')
    $salonValues['clients update --faults'] = @('free')
    $salonValues['clients update --max-changes'] = @('free')
    $salonValues['clients update --max-clears'] = @('free')
    $salonValues['clients update --max-errors'] = @('free')
    $salonValues['clients update --confirm'] = @('free')
    $salonValues['clients update -c'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients update --columns'] = @('list', 'id', 'first_name', 'last_name', 'email', 'phone', 'birthday', 'notes', 'preferred_stylist_id', 'tags', 'email_marketing_consent', 'sms_marketing_consent', 'external_id', 'created_at', 'updated_at')
    $salonValues['clients update -o'] = @('file', '')
    $salonValues['clients update --output'] = @('file', '')
    $salonValues['clients delete 0'] = @('free')
    $salonValues['clients delete --match'] = @('free')
    $salonValues['clients delete --from'] = @('file', '')
    $salonValues['clients delete --sheet-format'] = @('word', 'csv', 'ndjson', 'json')
    $salonValues['clients delete --plan'] = @('file', '')
    $salonValues['clients delete --faults'] = @('free')
    $salonValues['clients delete --max-changes'] = @('free')
    $salonValues['clients delete --max-clears'] = @('free')
    $salonValues['clients delete --max-errors'] = @('free')
    $salonValues['clients delete --confirm'] = @('free')
    $salonValues['stylists list -c'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists list --columns'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists list -o'] = @('file', '')
    $salonValues['stylists list --output'] = @('file', '')
    $salonValues['stylists list --limit'] = @('free')
    $salonValues['stylists list --param'] = @('free')
    $salonValues['stylists list --sort'] = @('word', 'created_at', '-created_at', 'updated_at', '-updated_at')
    $salonValues['stylists get 0'] = @('free')
    $salonValues['stylists get -c'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists get --columns'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists get -o'] = @('file', '')
    $salonValues['stylists get --output'] = @('file', '')
    $salonValues['stylists create --set'] = @('assignment', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services')
    $salonValues['stylists create --data'] = @('file', '@')
    $salonValues['stylists create --confirm'] = @('free')
    $salonValues['stylists create -c'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists create --columns'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists create -o'] = @('file', '')
    $salonValues['stylists create --output'] = @('file', '')
    $salonValues['stylists update 0'] = @('free')
    $salonValues['stylists update --set'] = @('assignment', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services')
    $salonValues['stylists update --data'] = @('file', '@')
    $salonValues['stylists update --confirm'] = @('free')
    $salonValues['stylists update -c'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists update --columns'] = @('list', 'id', 'first_name', 'last_name', 'display_name', 'email', 'phone', 'active', 'services', 'created_at', 'updated_at')
    $salonValues['stylists update -o'] = @('file', '')
    $salonValues['stylists update --output'] = @('file', '')
    $salonValues['payments list --client'] = @('free')
    $salonValues['payments list --appointment'] = @('free')
    $salonValues['payments list --status'] = @('list', 'pending', 'completed', 'failed', 'cancelled')
    $salonValues['payments list --from'] = @('free')
    $salonValues['payments list --to'] = @('free')
    $salonValues['payments list -c'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments list --columns'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments list -o'] = @('file', '')
    $salonValues['payments list --output'] = @('file', '')
    $salonValues['payments list --limit'] = @('free')
    $salonValues['payments list --param'] = @('free')
    $salonValues['payments list --sort'] = @('word', 'created_at', '-created_at', 'updated_at', '-updated_at')
    $salonValues['payments list --shard'] = @('free')
    $salonValues['payments get 0'] = @('free')
    $salonValues['payments get -c'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments get --columns'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments get -o'] = @('file', '')
    $salonValues['payments get --output'] = @('file', '')
    $salonValues['payments record --appointment'] = @('free')
    $salonValues['payments record --client'] = @('free')
    $salonValues['payments record --amount'] = @('free')
    $salonValues['payments record --currency'] = @('free')
    $salonValues['payments record --tip'] = @('free')
    $salonValues['payments record --method'] = @('word', 'cash', 'card', 'gift_card', 'other')
    $salonValues['payments record --status'] = @('word', 'pending', 'completed', 'failed', 'cancelled')
    $salonValues['payments record --reference'] = @('free')
    $salonValues['payments record --set'] = @('assignment', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'reference')
    $salonValues['payments record --data'] = @('file', '@')
    $salonValues['payments record --confirm'] = @('free')
    $salonValues['payments record -c'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments record --columns'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments record -o'] = @('file', '')
    $salonValues['payments record --output'] = @('file', '')
    $salonValues['payments refund 0'] = @('free')
    $salonValues['payments refund --amount'] = @('free')
    $salonValues['payments refund --confirm'] = @('free')
    $salonValues['payments refund -c'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments refund --columns'] = @('list', 'id', 'client_id', 'appointment_id', 'amount', 'currency', 'tip_amount', 'method', 'status', 'refunded_amount', 'reference', 'created_at', 'updated_at')
    $salonValues['payments refund -o'] = @('file', '')
    $salonValues['payments refund --output'] = @('file', '')
    $salonValues['webhooks list -c'] = @('list', 'id', 'url', 'events', 'description', 'active', 'disabled_reason', 'created_at', 'updated_at')
    $salonValues['webhooks list --columns'] = @('list', 'id', 'url', 'events', 'description', 'active', 'disabled_reason', 'created_at', 'updated_at')
    $salonValues['webhooks list -o'] = @('file', '')
    $salonValues['webhooks list --output'] = @('file', '')
    $salonValues['webhooks list --limit'] = @('free')
    $salonValues['webhooks list --param'] = @('free')
    $salonValues['webhooks get 0'] = @('free')
    $salonValues['webhooks get -c'] = @('free')
    $salonValues['webhooks get --columns'] = @('free')
    $salonValues['webhooks get -o'] = @('file', '')
    $salonValues['webhooks get --output'] = @('file', '')
    $salonValues['webhooks create 0'] = @('free')
    $salonValues['webhooks create --events'] = @('list', '*', 'booking.*', 'payment.*', 'client.*', 'webhook.*', 'booking.created', 'booking.updated', 'booking.rescheduled', 'booking.confirmed', 'booking.arrived', 'booking.started', 'booking.completed', 'booking.no_show', 'booking.cancelled', 'payment.created', 'payment.completed', 'payment.failed', 'payment.refunded', 'client.created', 'client.updated', 'client.deleted', 'webhook.test')
    $salonValues['webhooks create --description'] = @('free')
    $salonValues['webhooks create --secret-file'] = @('file', '')
    $salonValues['webhooks create --set'] = @('assignment', 'url', 'events', 'description', 'active')
    $salonValues['webhooks create --data'] = @('file', '@')
    $salonValues['webhooks create --confirm'] = @('free')
    $salonValues['webhooks create -c'] = @('list', 'id', 'url', 'events', 'description', 'active', 'disabled_reason', 'created_at', 'updated_at')
    $salonValues['webhooks create --columns'] = @('list', 'id', 'url', 'events', 'description', 'active', 'disabled_reason', 'created_at', 'updated_at')
    $salonValues['webhooks create -o'] = @('file', '')
    $salonValues['webhooks create --output'] = @('file', '')
    $salonValues['webhooks update 0'] = @('free')
    $salonValues['webhooks update --url'] = @('free')
    $salonValues['webhooks update --events'] = @('list', '*', 'booking.*', 'payment.*', 'client.*', 'webhook.*', 'booking.created', 'booking.updated', 'booking.rescheduled', 'booking.confirmed', 'booking.arrived', 'booking.started', 'booking.completed', 'booking.no_show', 'booking.cancelled', 'payment.created', 'payment.completed', 'payment.failed', 'payment.refunded', 'client.created', 'client.updated', 'client.deleted', 'webhook.test')
    $salonValues['webhooks update --description'] = @('free')
    $salonValues['webhooks update --set'] = @('assignment', 'url', 'events', 'description', 'active')
    $salonValues['webhooks update --data'] = @('file', '@')
    $salonValues['webhooks update --confirm'] = @('free')
    $salonValues['webhooks update -c'] = @('list', 'id', 'url', 'events', 'description', 'active', 'disabled_reason', 'created_at', 'updated_at')
    $salonValues['webhooks update --columns'] = @('list', 'id', 'url', 'events', 'description', 'active', 'disabled_reason', 'created_at', 'updated_at')
    $salonValues['webhooks update -o'] = @('file', '')
    $salonValues['webhooks update --output'] = @('file', '')
    $salonValues['webhooks delete 0'] = @('free')
    $salonValues['webhooks delete --confirm'] = @('free')
    $salonValues['webhooks rotate 0'] = @('free')
    $salonValues['webhooks rotate --secret-file'] = @('file', '')
    $salonValues['webhooks rotate --confirm'] = @('free')
    $salonValues['webhooks rotate -c'] = @('free')
    $salonValues['webhooks rotate --columns'] = @('free')
    $salonValues['webhooks rotate -o'] = @('file', '')
    $salonValues['webhooks rotate --output'] = @('file', '')
    $salonValues['webhooks test 0'] = @('free')
    $salonValues['webhooks test --confirm'] = @('free')
    $salonValues['webhooks test -c'] = @('list', 'id', 'webhook_id', 'event_id', 'event_type', 'status', 'next_attempt_at', 'attempts', 'event', 'created_at', 'updated_at', 'tries', 'last_answer')
    $salonValues['webhooks test --columns'] = @('list', 'id', 'webhook_id', 'event_id', 'event_type', 'status', 'next_attempt_at', 'attempts', 'event', 'created_at', 'updated_at', 'tries', 'last_answer')
    $salonValues['webhooks test -o'] = @('file', '')
    $salonValues['webhooks test --output'] = @('file', '')
    $salonValues['webhooks deliveries 0'] = @('free')
    $salonValues['webhooks deliveries --status'] = @('word', 'pending', 'delivered', 'failed')
    $salonValues['webhooks deliveries --from'] = @('free')
    $salonValues['webhooks deliveries --to'] = @('free')
    $salonValues['webhooks deliveries -c'] = @('list', 'id', 'webhook_id', 'event_id', 'event_type', 'status', 'next_attempt_at', 'attempts', 'event', 'created_at', 'updated_at', 'tries', 'last_answer')
    $salonValues['webhooks deliveries --columns'] = @('list', 'id', 'webhook_id', 'event_id', 'event_type', 'status', 'next_attempt_at', 'attempts', 'event', 'created_at', 'updated_at', 'tries', 'last_answer')
    $salonValues['webhooks deliveries -o'] = @('file', '')
    $salonValues['webhooks deliveries --output'] = @('file', '')
    $salonValues['webhooks deliveries --limit'] = @('free')
    $salonValues['webhooks deliveries --param'] = @('free')
    $salonValues['webhooks redeliver 0'] = @('free')
    $salonValues['webhooks redeliver --webhook'] = @('free')
    $salonValues['webhooks redeliver --from'] = @('free')
    $salonValues['webhooks redeliver --to'] = @('free')
    $salonValues['webhooks redeliver --status'] = @('word', 'pending', 'delivered', 'failed')
    $salonValues['webhooks redeliver --confirm'] = @('free')
    $salonValues['webhooks redeliver -c'] = @('list', 'id', 'webhook_id', 'event_id', 'event_type', 'status', 'next_attempt_at', 'attempts', 'event', 'created_at', 'updated_at', 'tries', 'last_answer')
    $salonValues['webhooks redeliver --columns'] = @('list', 'id', 'webhook_id', 'event_id', 'event_type', 'status', 'next_attempt_at', 'attempts', 'event', 'created_at', 'updated_at', 'tries', 'last_answer')
    $salonValues['webhooks redeliver -o'] = @('file', '')
    $salonValues['webhooks redeliver --output'] = @('file', '')
    $salonValues['webhooks listen --forward-to'] = @('free')
    $salonValues['webhooks listen --events'] = @('list', '*', 'booking.*', 'payment.*', 'client.*', 'webhook.*', 'booking.created', 'booking.updated', 'booking.rescheduled', 'booking.confirmed', 'booking.arrived', 'booking.started', 'booking.completed', 'booking.no_show', 'booking.cancelled', 'payment.created', 'payment.completed', 'payment.failed', 'payment.refunded', 'client.created', 'client.updated', 'client.deleted', 'webhook.test')
    $salonValues['webhooks listen --record'] = @('file', '')
    $salonValues['webhooks listen --keep'] = @('free')
    $salonValues['webhooks listen --port'] = @('free')
    $salonValues['webhooks listen --host'] = @('free')
    $salonValues['webhooks listen --public-url'] = @('free')
    $salonValues['webhooks listen --secret-file'] = @('file', '')
    $salonValues['webhooks listen --confirm'] = @('free')
    $salonValues['webhooks replay 0'] = @('file', '')
    $salonValues['webhooks replay --forward-to'] = @('free')
    $salonValues['webhooks replay --events'] = @('list', '*', 'booking.*', 'payment.*', 'client.*', 'webhook.*', 'booking.created', 'booking.updated', 'booking.rescheduled', 'booking.confirmed', 'booking.arrived', 'booking.started', 'booking.completed', 'booking.no_show', 'booking.cancelled', 'payment.created', 'payment.completed', 'payment.failed', 'payment.refunded', 'client.created', 'client.updated', 'client.deleted', 'webhook.test')
    $salonValues['webhooks replay --since'] = @('free')
    $salonValues['webhooks replay --sign-with'] = @('file', '')
    $salonValues['webhooks replay -c'] = @('free')
    $salonValues['webhooks replay --columns'] = @('free')
    $salonValues['webhooks replay -o'] = @('file', '')
    $salonValues['webhooks replay --output'] = @('file', '')
    $salonValues['webhooks verify --headers'] = @('file', '')
    $salonValues['webhooks verify --body'] = @('file', '')
    $salonValues['webhooks verify --secret-file'] = @('file', '')
    $salonValues['webhooks verify --scheme'] = @('word', 'standard', 'stripe', 'square', 'hmac')
    $salonValues['webhooks verify --url'] = @('free')
    $salonValues['webhooks verify --at'] = @('free')
    $salonValues['webhooks verify -c'] = @('free')
    $salonValues['webhooks verify --columns'] = @('free')
    $salonValues['webhooks verify -o'] = @('file', '')
    $salonValues['webhooks verify --output'] = @('file', '')
    $salonValues['webhooks trigger 0'] = @('word', 'booking.created', 'booking.updated', 'booking.rescheduled', 'booking.confirmed', 'booking.arrived', 'booking.started', 'booking.completed', 'booking.no_show', 'booking.cancelled', 'payment.created', 'payment.completed', 'payment.failed', 'payment.refunded', 'client.created', 'client.updated', 'client.deleted', 'webhook.test')
    $salonValues['webhooks trigger --to'] = @('free')
    $salonValues['webhooks trigger --secret-file'] = @('file', '')
    $salonValues['webhooks trigger --set'] = @('free')
    $salonValues['webhooks trigger -c'] = @('free')
    $salonValues['webhooks trigger --columns'] = @('free')
    $salonValues['webhooks trigger -o'] = @('file', '')
    $salonValues['webhooks trigger --output'] = @('file', '')
    $salonValues['jobs list -c'] = @('free')
    $salonValues['jobs list --columns'] = @('free')
    $salonValues['jobs list -o'] = @('file', '')
    $salonValues['jobs list --output'] = @('file', '')
    $salonValues['jobs show 0'] = @('free')
    $salonValues['jobs show -c'] = @('free')
    $salonValues['jobs show --columns'] = @('free')
    $salonValues['jobs show -o'] = @('file', '')
    $salonValues['jobs show --output'] = @('file', '')
    $salonValues['jobs apply 0'] = @('free')
    $salonValues['jobs apply --faults'] = @('free')
    $salonValues['jobs apply --confirm'] = @('free')
    $salonValues['jobs apply --max-changes'] = @('free')
    $salonValues['jobs apply --max-clears'] = @('free')
    $salonValues['jobs apply --max-errors'] = @('free')
    $salonValues['jobs resume 0'] = @('free')
    $salonValues['jobs resume --confirm'] = @('free')
    $salonValues['jobs resume --max-errors'] = @('free')
    $salonValues['jobs undo 0'] = @('free')
    $salonValues['jobs undo --confirm'] = @('free')
    $salonValues['jobs undo --max-changes'] = @('free')
    $salonValues['jobs undo --max-clears'] = @('free')
    $salonValues['jobs undo --max-errors'] = @('free')
    $salonValues['jobs results 0'] = @('free')
    $salonValues['jobs results -c'] = @('free')
    $salonValues['jobs results --columns'] = @('free')
    $salonValues['jobs results -o'] = @('file', '')
    $salonValues['jobs results --output'] = @('file', '')
    $salonValues['auth login --key-file'] = @('file', '')
    $salonValues['profiles list -c'] = @('free')
    $salonValues['profiles list --columns'] = @('free')
    $salonValues['profiles list -o'] = @('file', '')
    $salonValues['profiles list --output'] = @('file', '')
    $salonValues['profiles show 0'] = @('profile')
    $salonValues['profiles show -c'] = @('free')
    $salonValues['profiles show --columns'] = @('free')
    $salonValues['profiles show -o'] = @('file', '')
    $salonValues['profiles show --output'] = @('file', '')
    $salonValues['profiles use 0'] = @('profile')
    $salonValues['profiles set 0'] = @('profile')
    $salonValues['profiles set 1'] = @('word', 'time_zone', 'format', 'timeout', 'max_wait', 'rate', 'concurrency', 'retries', 'protected', 'read_only', 'plain', 'prefix', 'page_parameter', 'per_page_parameter', 'rows_key', 'total_key', 'idempotency_keys', 'filter.')
    $salonValues['profiles set 2'] = @('free')
    $salonValues['profiles remove 0'] = @('profile')
    $salonValues['whoami -c'] = @('free')
    $salonValues['whoami --columns'] = @('free')
    $salonValues['whoami -o'] = @('file', '')
    $salonValues['whoami --output'] = @('file', '')
    $salonValues['limits -c'] = @('free')
    $salonValues['limits --columns'] = @('free')
    $salonValues['limits -o'] = @('file', '')
    $salonValues['limits --output'] = @('file', '')
    $salonValues['api 0'] = @('word', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')
    $salonValues['api 1'] = @('after', 'DELETE=/clients/', 'DELETE=/webhooks/', 'GET=/appointments', 'GET=/appointments/', 'GET=/clients', 'GET=/clients/', 'GET=/me', 'GET=/payments', 'GET=/payments/', 'GET=/stylists', 'GET=/stylists/', 'GET=/webhooks', 'GET=/webhooks/', 'GET=/webhooks/event-types', 'HEAD=/appointments', 'HEAD=/appointments/', 'HEAD=/clients', 'HEAD=/clients/', 'HEAD=/me', 'HEAD=/payments', 'HEAD=/payments/', 'HEAD=/stylists', 'HEAD=/stylists/', 'HEAD=/webhooks', 'HEAD=/webhooks/', 'HEAD=/webhooks/event-types', 'PATCH=/appointments/', 'PATCH=/clients/', 'POST=/appointments', 'POST=/appointments/', 'POST=/clients', 'POST=/deliveries/', 'POST=/payments', 'POST=/payments/', 'POST=/stylists', 'POST=/webhooks', 'POST=/webhooks/', 'PUT=/appointments/', 'PUT=/clients/', 'PUT=/stylists/', 'PUT=/webhooks/')
    $salonValues['api --data'] = @('file', '@')
    $salonValues['api --param'] = @('free')
    $salonValues['api --header'] = @('free')
    $salonValues['api --confirm'] = @('free')
    $salonValues['service start --port'] = @('free')
    $salonValues['service start --host'] = @('free')
    $salonValues['service start --public-url'] = @('free')
    $salonValues['service start --log-level'] = @('word', 'silent', 'error', 'warn', 'info', 'debug')
    $salonValues['service start --database'] = @('file', 'sqlite:')
    $salonValues['service seed --clients'] = @('free')
    $salonValues['service seed --appointments'] = @('free')
    $salonValues['service seed --seed'] = @('free')
    $salonValues['service seed --account'] = @('free')
    $salonValues['service seed --database'] = @('file', 'sqlite:')
    $salonValues['service backup --to'] = @('file', '')
    $salonValues['service backup --database'] = @('file', 'sqlite:')
    $salonValues['service account create --name'] = @('free')
    $salonValues['service account create --plan'] = @('word', 'pro', 'enterprise')
    $salonValues['service account create --limit'] = @('free')
    $salonValues['service account create --database'] = @('file', 'sqlite:')
    $salonValues['service key create --name'] = @('free')
    $salonValues['service key create --role'] = @('word', 'owner', 'manager', 'receptionist', 'stylist', 'viewer')
    $salonValues['service key create --account'] = @('free')
    $salonValues['service key create --scopes'] = @('list', 'appointments:read', 'appointments:write', 'clients:read', 'clients:write', 'stylists:read', 'stylists:write', 'payments:read', 'payments:write', 'webhooks:read', 'webhooks:write')
    $salonValues['service key create --expires'] = @('free')
    $salonValues['service key create --stylist'] = @('free')
    $salonValues['service key create --database'] = @('file', 'sqlite:')
    $salonValues['service key revoke 0'] = @('free')
    $salonValues['service key revoke --database'] = @('file', 'sqlite:')
    $salonValues['completion 0'] = @('word', 'bash', 'zsh', 'fish', 'powershell')
    $salonValues['help 0'] = @('word', 'appointments', 'clients', 'stylists', 'payments', 'webhooks', 'jobs', 'auth', 'profiles', 'whoami', 'limits', 'api', 'demo', 'service', 'completion', 'help', 'exit-codes')

    # What a flag or an argument takes, as kind and words; a command's own flag comes before a global one.
    function Find-Value($place, $name) {
        foreach ($key in "$place $name", "* $name") {
            if ($salonValues.ContainsKey($key)) { return , $salonValues[$key] }
        }
    }

    # The flag in a word whose value is in the word too or follows it, and all that stands before the value.
    function Find-Flag($place, $text) {
        if ($text -cmatch '^(--[^=]+)=') { return @{ Flag = $Matches[1]; Attached = $Matches[0] } }
        if ($text.StartsWith('--')) {
            if (Find-Value $place $text) { return @{ Flag = $text; Attached = '' } }
            return
        }
        for ($i = 1; $i -lt $text.Length; $i++) {
            $flag = '-' + $text[$i]
            if (Find-Value $place $flag) {
                $attached = if ($i + 1 -lt $text.Length) { $text.Substring(0, $i + 1) } else { '' }
                return @{ Flag = $flag; Attached = $attached }
            }
        }
    }

    # The words before the cursor without their quotes; the one at the cursor ends there.
    $words = @()
    $raw = ''
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $text = $element.Extent.Text
        if ($element.Extent.EndOffset -ge $cursorPosition) {
            $raw = $text.Substring(0, $cursorPosition - $element.Extent.StartOffset)
        } else {
            $words += $text.Trim('"', "'")
        }
    }
    if ($raw -eq '' -and $wordToComplete -ne '') { $raw = $wordToComplete }
    $quote = if ($raw -match '^["'']') { $raw.Substring(0, 1) } else { '' }
    $word = $raw.Substring($quote.Length)

    # Follows the finished words: to which command, how many arguments, and whether a flag waits for its value.
    $place = ''
    $count = 0
    $last = ''
    $flag = ''
    $ended = $false
    foreach ($seen in $words) {
        if ($flag) {
            $flag = ''
        } elseif (-not $ended -and $seen -eq '--') {
            $ended = $true
        } elseif (-not $ended -and $seen -match '^-.') {
            $found = Find-Flag $place $seen
            if ($found -and -not $found.Attached) { $flag = $found.Flag }
        } elseif ($count -eq 0 -and $salonSteps.ContainsKey("$place $seen".Trim())) {
            $place = $salonSteps["$place $seen".Trim()]
        } else {
            $count++
            $last = $seen
        }
    }

    # What may stand at the cursor: rows of text and description, and what stands before them in the word.
    $attached = ''
    $value = $null
    $rows = @()
    if ($flag) {
        $value = Find-Value $place $flag
    } elseif (-not $ended -and $word.StartsWith('-')) {
        $found = Find-Flag $place $word
        if ($found -and $found.Attached) {
            $attached = $found.Attached
            $value = Find-Value $place $found.Flag
        } else {
            if ($salonFlags.ContainsKey($place)) { $rows += $salonFlags[$place] }
            $rows += $salonFlags['*']
        }
    } elseif ($count -eq 0 -and $salonChildren.ContainsKey($place)) {
        $rows = $salonChildren[$place]
    } else {
        $value = Find-Value $place $count
    }

    if ($value) {
        $candidates = @($value | Select-Object -Skip 1)
        switch ($value[0]) {
            'list' {
                if ($word.Substring($attached.Length).Contains(',')) {
                    $attached = $word.Substring(0, $word.LastIndexOf(',') + 1)
                }
                $chosen = ($attached -replace '^.*=', '').Split(',')
                $candidates = @($candidates | Where-Object { $chosen -cnotcontains $_ })
            }
            'after' {
                $start = "$last="
                $candidates = @($candidates | Where-Object { $_.StartsWith($start) } | ForEach-Object { $_.Substring($start.Length) })
            }
            'assignment' { $candidates = @($candidates | ForEach-Object { $_ + '=' }) }
            'profile' {
                $program = $commandAst.CommandElements[0].Extent.Text.Trim('"', "'")
                try {
                    $lines = @(& $program profiles list -c name -f csv 2>$null)
                    $candidates = @($lines | Select-Object -Skip 1 | ForEach-Object { $_.Trim() })
                } catch {
                    $candidates = @()
                }
            }
            'file' {
                $mark = $candidates[0]
                $start = $attached + $mark
                if (-not $word.StartsWith($start)) {
                    $candidates = @($mark)
                } else {
                    $attached = $start
                    $files = [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($start.Length))
                    $candidates = @($files | ForEach-Object { $_.CompletionText.Trim('"', "'", '&', ' ') })
                }
            }
            'free' { $candidates = @() }
        }
        $rows = @($candidates | ForEach-Object { , @($_, $_) })
    }

    # PowerShell replaces only the end of a word that has commas in it: what it leaves alone is taken off.
    $kept = if ($raw.EndsWith($wordToComplete)) { $raw.Length - $wordToComplete.Length } else { 0 }
    foreach ($row in $rows) {
        $text = $attached + $row[0]
        if (-not $text.StartsWith($word, [StringComparison]::Ordinal)) { continue }
        # A bare @ would splat a variable, a comma would make a list, and a space would end the word.
        $sign = if ($quote) { $quote } elseif ($kept -eq 0 -and $text -match '^@|[,\s]') { "'" } else { '' }
        $whole = $sign + $text + $sign
        $shown = if ($kept -gt 0 -and $kept -lt $whole.Length) { $whole.Substring($kept) } else { $whole }
        [System.Management.Automation.CompletionResult]::new($shown, $row[0], 'ParameterValue', $row[1])
    }
}
