# Completes salon in fish. Made by: salon completion fish

# Whether a flag of a command takes a value.
function __salon_takes_value
    contains -- $argv[2] -p --profile --base-url -f --format --timeout --retries --max-wait --rate --concurrency
    and return
    switch $argv[1]
        case 'appointments list'
            contains -- $argv[2] --client --stylist --status --from --to --updated-since -c --columns -o --output --limit --param --sort --shard --state --overlap
        case 'appointments calendar'
            contains -- $argv[2] --day --stylist --status -c --columns -o --output
        case 'appointments get'
            contains -- $argv[2] -c --columns -o --output
        case 'appointments create'
            contains -- $argv[2] --client --stylist --service --start --duration --status --notes --set --data --from --sheet-format --plan --faults --max-changes --max-clears --max-errors --confirm -c --columns -o --output
        case 'appointments update'
            contains -- $argv[2] --client --stylist --service --start --duration --status --notes --set --data --confirm -c --columns -o --output
        case 'appointments cancel'
            contains -- $argv[2] --reason --confirm -c --columns -o --output
        case 'clients list'
            contains -- $argv[2] --search --email --phone --updated-since -c --columns -o --output --limit --param --sort --shard --state --overlap
        case 'clients get'
            contains -- $argv[2] -c --columns -o --output
        case 'clients create'
            contains -- $argv[2] --set --data --from --sheet-format --plan --faults --max-changes --max-clears --max-errors --confirm -c --columns -o --output
        case 'clients update'
            contains -- $argv[2] --set --data --match --from --sheet-format --plan --faults --max-changes --max-clears --max-errors --confirm -c --columns -o --output
        case 'clients delete'
            contains -- $argv[2] --match --from --sheet-format --plan --faults --max-changes --max-clears --max-errors --confirm
        case 'stylists list'
            contains -- $argv[2] -c --columns -o --output --limit --param --sort
        case 'stylists get'
            contains -- $argv[2] -c --columns -o --output
        case 'stylists create'
            contains -- $argv[2] --set --data --confirm -c --columns -o --output
        case 'stylists update'
            contains -- $argv[2] --set --data --confirm -c --columns -o --output
        case 'payments list'
            contains -- $argv[2] --client --appointment --status --from --to -c --columns -o --output --limit --param --sort --shard
        case 'payments get'
            contains -- $argv[2] -c --columns -o --output
        case 'payments record'
            contains -- $argv[2] --appointment --client --amount --currency --tip --method --status --reference --set --data --confirm -c --columns -o --output
        case 'payments refund'
            contains -- $argv[2] --amount --confirm -c --columns -o --output
        case 'webhooks list'
            contains -- $argv[2] -c --columns -o --output --limit --param
        case 'webhooks get'
            contains -- $argv[2] -c --columns -o --output
        case 'webhooks create'
            contains -- $argv[2] --events --description --secret-file --set --data --confirm -c --columns -o --output
        case 'webhooks update'
            contains -- $argv[2] --url --events --description --set --data --confirm -c --columns -o --output
        case 'webhooks delete'
            contains -- $argv[2] --confirm
        case 'webhooks rotate'
            contains -- $argv[2] --secret-file --confirm -c --columns -o --output
        case 'webhooks test'
            contains -- $argv[2] --confirm -c --columns -o --output
        case 'webhooks deliveries'
            contains -- $argv[2] --status --from --to -c --columns -o --output --limit --param
        case 'webhooks redeliver'
            contains -- $argv[2] --webhook --from --to --status --confirm -c --columns -o --output
        case 'webhooks listen'
            contains -- $argv[2] --forward-to --events --record --keep --port --host --public-url --secret-file --confirm
        case 'webhooks replay'
            contains -- $argv[2] --forward-to --events --since --sign-with -c --columns -o --output
        case 'webhooks verify'
            contains -- $argv[2] --headers --body --secret-file --scheme --url --at -c --columns -o --output
        case 'webhooks trigger'
            contains -- $argv[2] --to --secret-file --set -c --columns -o --output
        case 'jobs list'
            contains -- $argv[2] -c --columns -o --output
        case 'jobs show'
            contains -- $argv[2] -c --columns -o --output
        case 'jobs apply'
            contains -- $argv[2] --faults --confirm --max-changes --max-clears --max-errors
        case 'jobs resume'
            contains -- $argv[2] --confirm --max-errors
        case 'jobs undo'
            contains -- $argv[2] --confirm --max-changes --max-clears --max-errors
        case 'jobs results'
            contains -- $argv[2] -c --columns -o --output
        case 'auth login'
            contains -- $argv[2] --key-file
        case 'profiles list'
            contains -- $argv[2] -c --columns -o --output
        case 'profiles show'
            contains -- $argv[2] -c --columns -o --output
        case 'whoami'
            contains -- $argv[2] -c --columns -o --output
        case 'limits'
            contains -- $argv[2] -c --columns -o --output
        case 'api'
            contains -- $argv[2] --data --param --header --confirm
        case 'service start'
            contains -- $argv[2] --port --host --public-url --log-level --database
        case 'service seed'
            contains -- $argv[2] --clients --appointments --seed --account --database
        case 'service backup'
            contains -- $argv[2] --to --database
        case 'service account create'
            contains -- $argv[2] --name --plan --limit --database
        case 'service key create'
            contains -- $argv[2] --name --role --account --scopes --expires --stylist --database
        case 'service key revoke'
            contains -- $argv[2] --database
        case '*'
            return 1
    end
end

# Prints the command that the words before the cursor lead to, how many arguments it has so far, and the last of them.
function __salon_place
    set -l path ''
    set -l count 0
    set -l last ''
    set -l flag ''
    for word in (commandline -opc)[2..]
        if test -n "$flag"
            set flag ''
            continue
        end
        if string match -qr '^-.' -- $word
            set flag (__salon_waiting_flag $path $word)
            continue
        end
        if test $count -gt 0
            set count (math $count + 1)
            set last $word
            continue
        end
        switch (string trim "$path $word")
            case 'appointments' 'appointment'
                set path 'appointments'
            case 'appointments list'
                set path 'appointments list'
            case 'appointments calendar'
                set path 'appointments calendar'
            case 'appointments get'
                set path 'appointments get'
            case 'appointments create'
                set path 'appointments create'
            case 'appointments update'
                set path 'appointments update'
            case 'appointments cancel'
                set path 'appointments cancel'
            case 'clients' 'client'
                set path 'clients'
            case 'clients list'
                set path 'clients list'
            case 'clients get'
                set path 'clients get'
            case 'clients create'
                set path 'clients create'
            case 'clients update'
                set path 'clients update'
            case 'clients delete'
                set path 'clients delete'
            case 'stylists' 'stylist'
                set path 'stylists'
            case 'stylists list'
                set path 'stylists list'
            case 'stylists get'
                set path 'stylists get'
            case 'stylists create'
                set path 'stylists create'
            case 'stylists update'
                set path 'stylists update'
            case 'payments' 'payment'
                set path 'payments'
            case 'payments list'
                set path 'payments list'
            case 'payments get'
                set path 'payments get'
            case 'payments record'
                set path 'payments record'
            case 'payments refund'
                set path 'payments refund'
            case 'webhooks' 'webhook'
                set path 'webhooks'
            case 'webhooks list'
                set path 'webhooks list'
            case 'webhooks get'
                set path 'webhooks get'
            case 'webhooks create'
                set path 'webhooks create'
            case 'webhooks update'
                set path 'webhooks update'
            case 'webhooks delete'
                set path 'webhooks delete'
            case 'webhooks rotate'
                set path 'webhooks rotate'
            case 'webhooks test'
                set path 'webhooks test'
            case 'webhooks deliveries'
                set path 'webhooks deliveries'
            case 'webhooks redeliver'
                set path 'webhooks redeliver'
            case 'webhooks listen'
                set path 'webhooks listen'
            case 'webhooks replay'
                set path 'webhooks replay'
            case 'webhooks verify'
                set path 'webhooks verify'
            case 'webhooks trigger'
                set path 'webhooks trigger'
            case 'jobs' 'job'
                set path 'jobs'
            case 'jobs list'
                set path 'jobs list'
            case 'jobs show'
                set path 'jobs show'
            case 'jobs apply'
                set path 'jobs apply'
            case 'jobs resume'
                set path 'jobs resume'
            case 'jobs undo'
                set path 'jobs undo'
            case 'jobs results'
                set path 'jobs results'
            case 'auth'
                set path 'auth'
            case 'auth login'
                set path 'auth login'
            case 'auth logout'
                set path 'auth logout'
            case 'auth status'
                set path 'auth status'
            case 'profiles' 'profile'
                set path 'profiles'
            case 'profiles list'
                set path 'profiles list'
            case 'profiles show'
                set path 'profiles show'
            case 'profiles use'
                set path 'profiles use'
            case 'profiles set'
                set path 'profiles set'
            case 'profiles remove'
                set path 'profiles remove'
            case 'whoami'
                set path 'whoami'
            case 'limits'
                set path 'limits'
            case 'api'
                set path 'api'
            case 'demo'
                set path 'demo'
            case 'service'
                set path 'service'
            case 'service start'
                set path 'service start'
            case 'service seed'
                set path 'service seed'
            case 'service backup'
                set path 'service backup'
            case 'service account'
                set path 'service account'
            case 'service account create'
                set path 'service account create'
            case 'service key'
                set path 'service key'
            case 'service key create'
                set path 'service key create'
            case 'service key revoke'
                set path 'service key revoke'
            case 'completion'
                set path 'completion'
            case 'help'
                set path 'help'
            case '*'
                set count (math $count + 1)
                set last $word
        end
    end
    echo $path
    echo $count
    echo -- $last
end

# Prints the flag in a word whose value is the next word, if there is one.
function __salon_waiting_flag
    set -l path $argv[1]
    set -l word $argv[2]
    if string match -q -- '--*' $word
        if __salon_takes_value "$path" $word
            echo -- $word
        end
        return
    end
    set -l letters (string split '' -- (string sub -s 2 -- $word))
    for letter in $letters[1..-2]
        if __salon_takes_value "$path" -$letter
            return
        end
    end
    if __salon_takes_value "$path" -$letters[-1]
        echo -- -$letters[-1]
    end
end

# Whether the line is at a command, and at the argument of that number.
function __salon_at
    set -l place (__salon_place)
    test "$place[1]" = "$argv[1]"
    and begin
        not set -q argv[2]
        or test "$place[2]" = "$argv[2]"
    end
end

# The value at the cursor, without the flag and the quote in front of it.
function __salon_value
    string replace -r '^(?:--[a-z-]+=|-[a-zA-Z])?["\']?' '' -- (commandline -ct)
end

# Several of the words, with commas between them.
function __salon_list
    set -l chosen (string replace -rf '^(.*,).*$' '$1' -- (__salon_value))
    for word in $argv
        if not string match -q "*,$word,*" -- ",$chosen"
            echo "$chosen$word"
        end
    end
end

# What goes with the argument before.
function __salon_after
    set -l place (__salon_place)
    for word in $argv
        if string match -q -- "$place[3]=*" $word
            string replace -r '^[^=]*=' '' -- $word
        end
    end
end

# A file behind a mark such as @.
function __salon_marked_file
    set -l mark $argv[1]
    set -l value (__salon_value)
    if string match -q "$mark*" -- $value
        set -l start (string sub -s (math (string length -- $mark) + 1) -- $value)
        for file in (complete -C "'' $start")
            echo $mark$file
        end
    else
        echo $mark
    end
end

# The profiles, as the program itself lists them below a heading.
function __salon_profiles
    set -l program (commandline -opc)[1]
    $program profiles list -c name -f csv 2>/dev/null </dev/null | tail -n +2 | string trim
end

complete -c salon -f

complete -c salon -s V -l version -d 'print the version'
complete -c salon -s p -l profile -d 'which profile to work with (SALON_PROFILE)' -x -a '(__salon_profiles)'
complete -c salon -l base-url -d 'address of the salon for this call (SALON_BASE_URL)' -x
complete -c salon -s f -l format -d 'how data is printed' -x -a 'table json ndjson csv'
complete -c salon -l json -d 'the same as --format json'
complete -c salon -s q -l quiet -d 'say nothing beside the data'
complete -c salon -s v -l verbose -d 'say more'
complete -c salon -l debug -d 'show every request and answer, secrets masked'
complete -c salon -l timeout -d 'patience for one request, such as 30s' -x
complete -c salon -l retries -d 'how often a request is tried again' -x
complete -c salon -l max-wait -d 'patience for all waiting of a command, such as 10m' -x
complete -c salon -l rate -d 'requests it may send an hour, in bursts if it likes: 5000/h' -x
complete -c salon -l concurrency -d 'requests side by side' -x
complete -c salon -l no-color -d 'no colour (also NO_COLOR)'
complete -c salon -l plain -d 'for screen readers: whole lines, no drawn tables, no spinner (SALON_PLAIN)'
complete -c salon -l no-pager -d 'print long tables straight, not through PAGER'
complete -c salon -l no-input -d 'never ask; fail instead (SALON_NO_INPUT)'
complete -c salon -s h -l help -d 'show help'

complete -c salon -n '__salon_at "" 0' -a 'appointments' -d 'Who comes when, to whom, for what'
complete -c salon -n '__salon_at "" 0' -a 'clients' -d 'The people a salon looks after'
complete -c salon -n '__salon_at "" 0' -a 'stylists' -d 'The people whose time is booked'
complete -c salon -n '__salon_at "" 0' -a 'payments' -d 'What was paid, and what was given back'
complete -c salon -n '__salon_at "" 0' -a 'webhooks' -d 'What a salon tells other programs as it happens'
complete -c salon -n '__salon_at "" 0' -a 'jobs' -d 'Long work that was begun: how it stands, and going on with it'
complete -c salon -n '__salon_at "" 0' -a 'auth' -d 'Sign in to a salon, and out'
complete -c salon -n '__salon_at "" 0' -a 'profiles' -d 'Which salons this machine knows'
complete -c salon -n '__salon_at "" 0' -a 'whoami' -d 'Say which profile, account and role is in use'
complete -c salon -n '__salon_at "" 0' -a 'limits' -d 'Show what is left of the hour’s requests'
complete -c salon -n '__salon_at "" 0' -a 'api' -d 'Send any request with the profile’s credentials'
complete -c salon -n '__salon_at "" 0' -a 'demo' -d 'Make a sample salon inside this program, and a profile for it'
complete -c salon -n '__salon_at "" 0' -a 'service' -d 'Host a salon: run the service, its accounts, keys and data'
complete -c salon -n '__salon_at "" 0' -a 'completion' -d 'Print a script that completes salon’s commands in a shell'
complete -c salon -n '__salon_at "" 0' -a 'help' -d 'Show help for a command, or the table of exit codes'

complete -c salon -n '__salon_at "appointments" 0' -a 'list' -d 'List appointments, over all pages'
complete -c salon -n '__salon_at "appointments" 0' -a 'calendar' -d 'Draw a day as a calendar: stylists across, time down; in a pipe, a row for each appointment'
complete -c salon -n '__salon_at "appointments" 0' -a 'get' -d 'Show one appointment'
complete -c salon -n '__salon_at "appointments" 0' -a 'create' -d 'Book an appointment, or every one of a sheet'
complete -c salon -n '__salon_at "appointments" 0' -a 'update' -d 'Move an appointment, or change what else it is; what is not named stays as it is'
complete -c salon -n '__salon_at "appointments" 0' -a 'cancel' -d 'Cancel an appointment and free its stylist’s time; this is not undone'

complete -c salon -n '__salon_at "appointments list"' -l client -d 'of this client' -x
complete -c salon -n '__salon_at "appointments list"' -l stylist -d 'with this stylist' -x
complete -c salon -n '__salon_at "appointments list"' -l status -d 'in one of these statuses, such as confirmed,arrived' -x -a '(__salon_list pending confirmed arrived in_service completed cancelled no_show)'
complete -c salon -n '__salon_at "appointments list"' -l from -d 'starting at or after: today, +7d, 2026-11-21, an instant' -x
complete -c salon -n '__salon_at "appointments list"' -l to -d 'starting before; a bare day is counted to its end' -x
complete -c salon -n '__salon_at "appointments list"' -l updated-since -d 'changed at or after' -x
complete -c salon -n '__salon_at "appointments list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at)'
complete -c salon -n '__salon_at "appointments list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "appointments list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'
complete -c salon -n '__salon_at "appointments list"' -l limit -d 'stop after n records' -x
complete -c salon -n '__salon_at "appointments list"' -l param -d 'a further query parameter, as it is; repeatable' -x
complete -c salon -n '__salon_at "appointments list"' -l sort -d 'order by a field; -field for the other way round' -x -a 'start_time -start_time created_at -created_at updated_at -updated_at'
complete -c salon -n '__salon_at "appointments list"' -l consistent -d 'read again until two passes agree on the records, five times at most'
complete -c salon -n '__salon_at "appointments list"' -l manifest -d 'with --output: also write <file>.manifest.json with counts and a checksum'
complete -c salon -n '__salon_at "appointments list"' -l shard -d 'write only the i-th of n parts, by identifier; each reads the whole list' -x
complete -c salon -n '__salon_at "appointments list"' -l since-last -d 'only what was changed since the export that wrote --state'
complete -c salon -n '__salon_at "appointments list"' -l state -d 'where --since-last keeps up to when everything was exported' -r -F
complete -c salon -n '__salon_at "appointments list"' -l overlap -d 'how far --since-last reaches back behind that; 2m when left out' -x

complete -c salon -n '__salon_at "appointments calendar"' -l day -d 'the same as the argument' -x
complete -c salon -n '__salon_at "appointments calendar"' -l week -d 'the week around that day, Monday to Sunday: how full it is, or one stylist’s blocks'
complete -c salon -n '__salon_at "appointments calendar"' -l stylist -d 'only this stylist, by identifier or name; repeatable' -x
complete -c salon -n '__salon_at "appointments calendar"' -l status -d 'only in one of these statuses, such as confirmed,arrived' -x -a '(__salon_list pending confirmed arrived in_service completed cancelled no_show)'
complete -c salon -n '__salon_at "appointments calendar"' -l all -d 'also what is cancelled or a no-show'
complete -c salon -n '__salon_at "appointments calendar"' -l no-names -d 'clients by their identifiers: saves the requests for their names'
complete -c salon -n '__salon_at "appointments calendar"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at)'
complete -c salon -n '__salon_at "appointments calendar"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "appointments calendar"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "appointments get"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at)'
complete -c salon -n '__salon_at "appointments get"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "appointments get"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "appointments create"' -l client -d 'whose appointment it is' -x
complete -c salon -n '__salon_at "appointments create"' -l stylist -d 'whose time it takes' -x
complete -c salon -n '__salon_at "appointments create"' -l service -d 'what is booked' -x
complete -c salon -n '__salon_at "appointments create"' -l start -d 'an instant with a zone, or a time in the salon’s zone: 2026-11-24T10:30' -x
complete -c salon -n '__salon_at "appointments create"' -l duration -d 'how long: 45, 45m, 1h30m, PT45M' -x
complete -c salon -n '__salon_at "appointments create"' -l status -d 'how it stands; a new one is confirmed' -x -a 'pending confirmed arrived in_service completed cancelled no_show'
complete -c salon -n '__salon_at "appointments create"' -l notes -d 'anything worth remembering' -x
complete -c salon -n '__salon_at "appointments create"' -l allow-overlap -d 'book although the stylist is taken'
complete -c salon -n '__salon_at "appointments create"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'client_id= stylist_id= service= start_time= duration= status= notes= allow_overlap='
complete -c salon -n '__salon_at "appointments create"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "appointments create"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "appointments create"' -l from -d 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input' -r -F
complete -c salon -n '__salon_at "appointments create"' -l sheet-format -d 'with --from: how the sheet is written, not what it looks like' -x -a 'csv ndjson json'
complete -c salon -n '__salon_at "appointments create"' -l guarded -d 'with --from: take off the \' that an --excel export put before formulas'
complete -c salon -n '__salon_at "appointments create"' -l no-guarded -d 'with --from: a \' before a formula belongs to the text'
complete -c salon -n '__salon_at "appointments create"' -l allow-new-fields -d 'with --from: send columns that neither salon nor the server knows'
complete -c salon -n '__salon_at "appointments create"' -l plan -d 'with --from: write the plan there, send nothing; see "salon jobs apply"' -r -F
complete -c salon -n '__salon_at "appointments create"' -l rehearse -d 'with --from: carry the plan out on a copy in an embedded service, send nothing'
complete -c salon -n '__salon_at "appointments create"' -l faults -d 'with --rehearse: let this go wrong now and then, such as 429,503,timeout' -x
complete -c salon -n '__salon_at "appointments create"' -l max-changes -d 'refuse a plan that changes more records: 50, or 5%' -x
complete -c salon -n '__salon_at "appointments create"' -l max-clears -d 'refuse a plan that empties more fields' -x
complete -c salon -n '__salon_at "appointments create"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x
complete -c salon -n '__salon_at "appointments create"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "appointments create"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "appointments create"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at)'
complete -c salon -n '__salon_at "appointments create"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "appointments create"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "appointments update"' -l client -d 'whose appointment it is' -x
complete -c salon -n '__salon_at "appointments update"' -l stylist -d 'whose time it takes' -x
complete -c salon -n '__salon_at "appointments update"' -l service -d 'what is booked' -x
complete -c salon -n '__salon_at "appointments update"' -l start -d 'an instant with a zone, or a time in the salon’s zone: 2026-11-24T10:30' -x
complete -c salon -n '__salon_at "appointments update"' -l duration -d 'how long: 45, 45m, 1h30m, PT45M' -x
complete -c salon -n '__salon_at "appointments update"' -l status -d 'how it stands; a new one is confirmed' -x -a 'pending confirmed arrived in_service completed cancelled no_show'
complete -c salon -n '__salon_at "appointments update"' -l notes -d 'anything worth remembering' -x
complete -c salon -n '__salon_at "appointments update"' -l allow-overlap -d 'book although the stylist is taken'
complete -c salon -n '__salon_at "appointments update"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'client_id= stylist_id= service= start_time= duration= status= notes= allow_overlap='
complete -c salon -n '__salon_at "appointments update"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "appointments update"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "appointments update"' -l partial -d 'send only the changes, for a server known to merge'
complete -c salon -n '__salon_at "appointments update"' -l exit-code -d 'with --dry-run: exit 9 when something would change'
complete -c salon -n '__salon_at "appointments update"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "appointments update"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at)'
complete -c salon -n '__salon_at "appointments update"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "appointments update"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "appointments cancel"' -l reason -d 'why, kept with the appointment' -x
complete -c salon -n '__salon_at "appointments cancel"' -s n -l dry-run -d 'show what would change, cancel nothing'
complete -c salon -n '__salon_at "appointments cancel"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "appointments cancel"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at)'
complete -c salon -n '__salon_at "appointments cancel"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "appointments cancel"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "clients" 0' -a 'list' -d 'List clients, over all pages'
complete -c salon -n '__salon_at "clients" 0' -a 'get' -d 'Show one client, and to people their appointments and what they paid'
complete -c salon -n '__salon_at "clients" 0' -a 'create' -d 'Add a client, or every client of a sheet'
complete -c salon -n '__salon_at "clients" 0' -a 'update' -d 'Change fields of a client, or of every client that a sheet names; the others stay as they are'
complete -c salon -n '__salon_at "clients" 0' -a 'delete' -d 'Remove a client, or every client that a sheet names, and erase their personal data'

complete -c salon -n '__salon_at "clients list"' -l search -d 'part of a name, an e-mail address or a phone number' -x
complete -c salon -n '__salon_at "clients list"' -l email -d 'exactly this e-mail address' -x
complete -c salon -n '__salon_at "clients list"' -l phone -d 'exactly this phone number' -x
complete -c salon -n '__salon_at "clients list"' -l updated-since -d 'changed at or after: 2026-11-21, -7d, an instant' -x
complete -c salon -n '__salon_at "clients list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name email phone birthday notes preferred_stylist_id tags email_marketing_consent sms_marketing_consent external_id created_at updated_at)'
complete -c salon -n '__salon_at "clients list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "clients list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'
complete -c salon -n '__salon_at "clients list"' -l limit -d 'stop after n records' -x
complete -c salon -n '__salon_at "clients list"' -l param -d 'a further query parameter, as it is; repeatable' -x
complete -c salon -n '__salon_at "clients list"' -l sort -d 'order by a field; -field for the other way round' -x -a 'created_at -created_at updated_at -updated_at last_name -last_name'
complete -c salon -n '__salon_at "clients list"' -l consistent -d 'read again until two passes agree on the records, five times at most'
complete -c salon -n '__salon_at "clients list"' -l manifest -d 'with --output: also write <file>.manifest.json with counts and a checksum'
complete -c salon -n '__salon_at "clients list"' -l shard -d 'write only the i-th of n parts, by identifier; each reads the whole list' -x
complete -c salon -n '__salon_at "clients list"' -l since-last -d 'only what was changed since the export that wrote --state'
complete -c salon -n '__salon_at "clients list"' -l state -d 'where --since-last keeps up to when everything was exported' -r -F
complete -c salon -n '__salon_at "clients list"' -l overlap -d 'how far --since-last reaches back behind that; 2m when left out' -x

complete -c salon -n '__salon_at "clients get"' -l history -d 'the history in JSON too, as a member of that name'
complete -c salon -n '__salon_at "clients get"' -l no-history -d 'the record alone: saves the requests for the history'
complete -c salon -n '__salon_at "clients get"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name email phone birthday notes preferred_stylist_id tags email_marketing_consent sms_marketing_consent external_id created_at updated_at)'
complete -c salon -n '__salon_at "clients get"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "clients get"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "clients create"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'first_name= last_name= email= phone= birthday= notes= preferred_stylist_id= tags= email_marketing_consent= sms_marketing_consent= external_id='
complete -c salon -n '__salon_at "clients create"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "clients create"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "clients create"' -l from -d 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input' -r -F
complete -c salon -n '__salon_at "clients create"' -l sheet-format -d 'with --from: how the sheet is written, not what it looks like' -x -a 'csv ndjson json'
complete -c salon -n '__salon_at "clients create"' -l guarded -d 'with --from: take off the \' that an --excel export put before formulas'
complete -c salon -n '__salon_at "clients create"' -l no-guarded -d 'with --from: a \' before a formula belongs to the text'
complete -c salon -n '__salon_at "clients create"' -l allow-new-fields -d 'with --from: send columns that neither salon nor the server knows'
complete -c salon -n '__salon_at "clients create"' -l plan -d 'with --from: write the plan there, send nothing; see "salon jobs apply"' -r -F
complete -c salon -n '__salon_at "clients create"' -l rehearse -d 'with --from: carry the plan out on a copy in an embedded service, send nothing'
complete -c salon -n '__salon_at "clients create"' -l faults -d 'with --rehearse: let this go wrong now and then, such as 429,503,timeout' -x
complete -c salon -n '__salon_at "clients create"' -l max-changes -d 'refuse a plan that changes more records: 50, or 5%' -x
complete -c salon -n '__salon_at "clients create"' -l max-clears -d 'refuse a plan that empties more fields' -x
complete -c salon -n '__salon_at "clients create"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x
complete -c salon -n '__salon_at "clients create"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "clients create"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "clients create"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name email phone birthday notes preferred_stylist_id tags email_marketing_consent sms_marketing_consent external_id created_at updated_at)'
complete -c salon -n '__salon_at "clients create"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "clients create"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "clients update"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'first_name= last_name= email= phone= birthday= notes= preferred_stylist_id= tags= email_marketing_consent= sms_marketing_consent= external_id='
complete -c salon -n '__salon_at "clients update"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "clients update"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "clients update"' -l partial -d 'send only the changes, for a server known to merge'
complete -c salon -n '__salon_at "clients update"' -l exit-code -d 'with --dry-run: exit 9 when something would change'
complete -c salon -n '__salon_at "clients update"' -l match -d 'with --from: find the records by this field instead of id' -x
complete -c salon -n '__salon_at "clients update"' -l from -d 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input' -r -F
complete -c salon -n '__salon_at "clients update"' -l sheet-format -d 'with --from: how the sheet is written, not what it looks like' -x -a 'csv ndjson json'
complete -c salon -n '__salon_at "clients update"' -l guarded -d 'with --from: take off the \' that an --excel export put before formulas'
complete -c salon -n '__salon_at "clients update"' -l no-guarded -d 'with --from: a \' before a formula belongs to the text'
complete -c salon -n '__salon_at "clients update"' -l allow-new-fields -d 'with --from: send columns that neither salon nor the server knows'
complete -c salon -n '__salon_at "clients update"' -l plan -d 'with --from: write the plan there, send nothing; see "salon jobs apply"' -r -F
complete -c salon -n '__salon_at "clients update"' -l rehearse -d 'with --from: carry the plan out on a copy in an embedded service, send nothing'
complete -c salon -n '__salon_at "clients update"' -l faults -d 'with --rehearse: let this go wrong now and then, such as 429,503,timeout' -x
complete -c salon -n '__salon_at "clients update"' -l max-changes -d 'refuse a plan that changes more records: 50, or 5%' -x
complete -c salon -n '__salon_at "clients update"' -l max-clears -d 'refuse a plan that empties more fields' -x
complete -c salon -n '__salon_at "clients update"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x
complete -c salon -n '__salon_at "clients update"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "clients update"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "clients update"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name email phone birthday notes preferred_stylist_id tags email_marketing_consent sms_marketing_consent external_id created_at updated_at)'
complete -c salon -n '__salon_at "clients update"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "clients update"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "clients delete"' -l force -d 'cancel upcoming appointments first'
complete -c salon -n '__salon_at "clients delete"' -l ignore-missing -d 'succeed when there is no such client'
complete -c salon -n '__salon_at "clients delete"' -s n -l dry-run -d 'show who would be removed, remove nobody'
complete -c salon -n '__salon_at "clients delete"' -l match -d 'with --from: find the records by this field instead of id' -x
complete -c salon -n '__salon_at "clients delete"' -l from -d 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input' -r -F
complete -c salon -n '__salon_at "clients delete"' -l sheet-format -d 'with --from: how the sheet is written, not what it looks like' -x -a 'csv ndjson json'
complete -c salon -n '__salon_at "clients delete"' -l guarded -d 'with --from: take off the \' that an --excel export put before formulas'
complete -c salon -n '__salon_at "clients delete"' -l no-guarded -d 'with --from: a \' before a formula belongs to the text'
complete -c salon -n '__salon_at "clients delete"' -l allow-new-fields -d 'with --from: send columns that neither salon nor the server knows'
complete -c salon -n '__salon_at "clients delete"' -l plan -d 'with --from: write the plan there, send nothing; see "salon jobs apply"' -r -F
complete -c salon -n '__salon_at "clients delete"' -l rehearse -d 'with --from: carry the plan out on a copy in an embedded service, send nothing'
complete -c salon -n '__salon_at "clients delete"' -l faults -d 'with --rehearse: let this go wrong now and then, such as 429,503,timeout' -x
complete -c salon -n '__salon_at "clients delete"' -l max-changes -d 'refuse a plan that changes more records: 50, or 5%' -x
complete -c salon -n '__salon_at "clients delete"' -l max-clears -d 'refuse a plan that empties more fields' -x
complete -c salon -n '__salon_at "clients delete"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x
complete -c salon -n '__salon_at "clients delete"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "clients delete"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x

complete -c salon -n '__salon_at "stylists" 0' -a 'list' -d 'List stylists, also those who have left'
complete -c salon -n '__salon_at "stylists" 0' -a 'get' -d 'Show one stylist'
complete -c salon -n '__salon_at "stylists" 0' -a 'create' -d 'Add a stylist, who can be booked at once'
complete -c salon -n '__salon_at "stylists" 0' -a 'update' -d 'Change fields of a stylist; the others stay as they are'

complete -c salon -n '__salon_at "stylists list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name display_name email phone active services created_at updated_at)'
complete -c salon -n '__salon_at "stylists list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "stylists list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'
complete -c salon -n '__salon_at "stylists list"' -l limit -d 'stop after n records' -x
complete -c salon -n '__salon_at "stylists list"' -l param -d 'a further query parameter, as it is; repeatable' -x
complete -c salon -n '__salon_at "stylists list"' -l sort -d 'order by a field; -field for the other way round' -x -a 'created_at -created_at updated_at -updated_at'

complete -c salon -n '__salon_at "stylists get"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name display_name email phone active services created_at updated_at)'
complete -c salon -n '__salon_at "stylists get"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "stylists get"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "stylists create"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'first_name= last_name= display_name= email= phone= active= services='
complete -c salon -n '__salon_at "stylists create"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "stylists create"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "stylists create"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "stylists create"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name display_name email phone active services created_at updated_at)'
complete -c salon -n '__salon_at "stylists create"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "stylists create"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "stylists update"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'first_name= last_name= display_name= email= phone= active= services='
complete -c salon -n '__salon_at "stylists update"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "stylists update"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "stylists update"' -l partial -d 'send only the changes, for a server known to merge'
complete -c salon -n '__salon_at "stylists update"' -l exit-code -d 'with --dry-run: exit 9 when something would change'
complete -c salon -n '__salon_at "stylists update"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "stylists update"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id first_name last_name display_name email phone active services created_at updated_at)'
complete -c salon -n '__salon_at "stylists update"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "stylists update"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "payments" 0' -a 'list' -d 'List payments, over all pages'
complete -c salon -n '__salon_at "payments" 0' -a 'get' -d 'Show one payment'
complete -c salon -n '__salon_at "payments" 0' -a 'record' -d 'Record what was paid; amounts are as people write them, with --set amount:= in minor units'
complete -c salon -n '__salon_at "payments" 0' -a 'refund' -d 'Give a payment back, the tip with it: what is named, or everything that is left'

complete -c salon -n '__salon_at "payments list"' -l client -d 'of this client' -x
complete -c salon -n '__salon_at "payments list"' -l appointment -d 'for this appointment' -x
complete -c salon -n '__salon_at "payments list"' -l status -d 'in one of these statuses, such as pending,failed' -x -a '(__salon_list pending completed failed cancelled)'
complete -c salon -n '__salon_at "payments list"' -l from -d 'recorded at or after: today, -7d, 2026-11-21, an instant' -x
complete -c salon -n '__salon_at "payments list"' -l to -d 'recorded before; a bare day is counted to its end' -x
complete -c salon -n '__salon_at "payments list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id appointment_id amount currency tip_amount method status refunded_amount reference created_at updated_at)'
complete -c salon -n '__salon_at "payments list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "payments list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'
complete -c salon -n '__salon_at "payments list"' -l limit -d 'stop after n records' -x
complete -c salon -n '__salon_at "payments list"' -l param -d 'a further query parameter, as it is; repeatable' -x
complete -c salon -n '__salon_at "payments list"' -l sort -d 'order by a field; -field for the other way round' -x -a 'created_at -created_at updated_at -updated_at'
complete -c salon -n '__salon_at "payments list"' -l consistent -d 'read again until two passes agree on the records, five times at most'
complete -c salon -n '__salon_at "payments list"' -l manifest -d 'with --output: also write <file>.manifest.json with counts and a checksum'
complete -c salon -n '__salon_at "payments list"' -l shard -d 'write only the i-th of n parts, by identifier; each reads the whole list' -x

complete -c salon -n '__salon_at "payments get"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id appointment_id amount currency tip_amount method status refunded_amount reference created_at updated_at)'
complete -c salon -n '__salon_at "payments get"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "payments get"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "payments record"' -l appointment -d 'what was paid for; its client paid' -x
complete -c salon -n '__salon_at "payments record"' -l client -d 'who paid, where it was for no appointment' -x
complete -c salon -n '__salon_at "payments record"' -l amount -d 'how much, as people write it: 45 or 45.00' -x
complete -c salon -n '__salon_at "payments record"' -l currency -d 'of which money: EUR, USD, JPY' -x
complete -c salon -n '__salon_at "payments record"' -l tip -d 'how much beside it, for the stylist' -x
complete -c salon -n '__salon_at "payments record"' -l method -d 'how: cash, card, gift_card, other' -x -a 'cash card gift_card other'
complete -c salon -n '__salon_at "payments record"' -l status -d 'how it stands; a new one is completed' -x -a 'pending completed failed cancelled'
complete -c salon -n '__salon_at "payments record"' -l reference -d 'what a terminal or a till calls it' -x
complete -c salon -n '__salon_at "payments record"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'client_id= appointment_id= amount= currency= tip_amount= method= status= reference='
complete -c salon -n '__salon_at "payments record"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "payments record"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "payments record"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "payments record"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id appointment_id amount currency tip_amount method status refunded_amount reference created_at updated_at)'
complete -c salon -n '__salon_at "payments record"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "payments record"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "payments refund"' -l amount -d 'how much of it, as people write it: 10 or 10.00' -x
complete -c salon -n '__salon_at "payments refund"' -s n -l dry-run -d 'show what would be given back, give back nothing'
complete -c salon -n '__salon_at "payments refund"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "payments refund"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "payments refund"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id client_id appointment_id amount currency tip_amount method status refunded_amount reference created_at updated_at)'
complete -c salon -n '__salon_at "payments refund"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "payments refund"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks" 0' -a 'list' -d 'List webhooks, also those that are switched off'
complete -c salon -n '__salon_at "webhooks" 0' -a 'get' -d 'Show one webhook'
complete -c salon -n '__salon_at "webhooks" 0' -a 'create' -d 'Have events sent to an address as they happen; the secret they are signed with is shown once'
complete -c salon -n '__salon_at "webhooks" 0' -a 'update' -d 'Change where a webhook leads and what it is told; what is not named stays as it is'
complete -c salon -n '__salon_at "webhooks" 0' -a 'delete' -d 'Remove a webhook, and what is on its way to it'
complete -c salon -n '__salon_at "webhooks" 0' -a 'rotate' -d 'Give a webhook another secret; the one before it signs too, for another 24 hours'
complete -c salon -n '__salon_at "webhooks" 0' -a 'test' -d 'Send a webhook.test event to one webhook, and say what it answered'
complete -c salon -n '__salon_at "webhooks" 0' -a 'deliveries' -d 'List what was sent to a webhook, and what it answered; kept for 30 days'
complete -c salon -n '__salon_at "webhooks" 0' -a 'redeliver' -d 'Send events once more: those of some deliveries, or of all that a webhook had in a time'
complete -c salon -n '__salon_at "webhooks" 0' -a 'listen' -d 'Receive webhooks here as they happen, and hand them on'
complete -c salon -n '__salon_at "webhooks" 0' -a 'replay' -d 'Send recorded webhooks once more, byte for byte'
complete -c salon -n '__salon_at "webhooks" 0' -a 'verify' -d 'Say whether a webhook that came is genuine, and if not, why'
complete -c salon -n '__salon_at "webhooks" 0' -a 'trigger' -d 'Send a sample event to a program that takes webhooks'

complete -c salon -n '__salon_at "webhooks list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id url events description active disabled_reason created_at updated_at)'
complete -c salon -n '__salon_at "webhooks list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'
complete -c salon -n '__salon_at "webhooks list"' -l limit -d 'stop after n records' -x
complete -c salon -n '__salon_at "webhooks list"' -l param -d 'a further query parameter, as it is; repeatable' -x

complete -c salon -n '__salon_at "webhooks get"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "webhooks get"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks get"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks create"' -l events -d 'what it is told of: *, a family such as booking.*, or names of events' -x -a '(__salon_list \\* booking.\\* payment.\\* client.\\* webhook.\\* booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test)'
complete -c salon -n '__salon_at "webhooks create"' -l description -d 'what it is for' -x
complete -c salon -n '__salon_at "webhooks create"' -l secret-file -d 'keep the secret in a new file that only you can read, and show it nowhere' -r -F
complete -c salon -n '__salon_at "webhooks create"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'url= events= description= active='
complete -c salon -n '__salon_at "webhooks create"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "webhooks create"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "webhooks create"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "webhooks create"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id url events description active disabled_reason created_at updated_at)'
complete -c salon -n '__salon_at "webhooks create"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks create"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks update"' -l url -d 'where events are sent to from now on' -x
complete -c salon -n '__salon_at "webhooks update"' -l events -d 'what it is told of: *, a family such as booking.*, or names of events' -x -a '(__salon_list \\* booking.\\* payment.\\* client.\\* webhook.\\* booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test)'
complete -c salon -n '__salon_at "webhooks update"' -l description -d 'what it is for' -x
complete -c salon -n '__salon_at "webhooks update"' -l active -d 'tell it again'
complete -c salon -n '__salon_at "webhooks update"' -l inactive -d 'tell it nothing until it is active again'
complete -c salon -n '__salon_at "webhooks update"' -l set -d 'a field; field:=json for anything but text; repeatable' -x -a 'url= events= description= active='
complete -c salon -n '__salon_at "webhooks update"' -l data -d 'fields as a JSON object, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "webhooks update"' -s n -l dry-run -d 'show what would be sent, send nothing'
complete -c salon -n '__salon_at "webhooks update"' -l partial -d 'send only the changes, for a server known to merge'
complete -c salon -n '__salon_at "webhooks update"' -l exit-code -d 'with --dry-run: exit 9 when something would change'
complete -c salon -n '__salon_at "webhooks update"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "webhooks update"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id url events description active disabled_reason created_at updated_at)'
complete -c salon -n '__salon_at "webhooks update"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks update"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks delete"' -l ignore-missing -d 'succeed when there is no such webhook'
complete -c salon -n '__salon_at "webhooks delete"' -s n -l dry-run -d 'show which webhook it would be, remove nothing'
complete -c salon -n '__salon_at "webhooks delete"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "webhooks delete"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x

complete -c salon -n '__salon_at "webhooks rotate"' -s n -l dry-run -d 'show which webhook it would be, change nothing'
complete -c salon -n '__salon_at "webhooks rotate"' -l secret-file -d 'keep the secret in a new file that only you can read, and show it nowhere' -r -F
complete -c salon -n '__salon_at "webhooks rotate"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "webhooks rotate"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "webhooks rotate"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks rotate"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks test"' -l no-wait -d 'do not wait for the answer'
complete -c salon -n '__salon_at "webhooks test"' -s n -l dry-run -d 'show which webhook it would be, send nothing'
complete -c salon -n '__salon_at "webhooks test"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "webhooks test"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id webhook_id event_id event_type status next_attempt_at attempts event created_at updated_at tries last_answer)'
complete -c salon -n '__salon_at "webhooks test"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks test"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks deliveries"' -l status -d 'pending, delivered or failed' -x -a 'pending delivered failed'
complete -c salon -n '__salon_at "webhooks deliveries"' -l from -d 'made at or after: today, -7d, 2026-11-21, an instant' -x
complete -c salon -n '__salon_at "webhooks deliveries"' -l to -d 'made before; a bare day is counted to its end' -x
complete -c salon -n '__salon_at "webhooks deliveries"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id webhook_id event_id event_type status next_attempt_at attempts event created_at updated_at tries last_answer)'
complete -c salon -n '__salon_at "webhooks deliveries"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks deliveries"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'
complete -c salon -n '__salon_at "webhooks deliveries"' -l limit -d 'stop after n records' -x
complete -c salon -n '__salon_at "webhooks deliveries"' -l param -d 'a further query parameter, as it is; repeatable' -x

complete -c salon -n '__salon_at "webhooks redeliver"' -l webhook -d 'the webhook whose deliveries are sent once more' -x
complete -c salon -n '__salon_at "webhooks redeliver"' -l from -d 'those made at or after: today, -2h, 2026-11-21T09:30, an instant' -x
complete -c salon -n '__salon_at "webhooks redeliver"' -l to -d 'those made before; a bare day is counted to its end' -x
complete -c salon -n '__salon_at "webhooks redeliver"' -l status -d 'those pending, delivered or failed' -x -a 'pending delivered failed'
complete -c salon -n '__salon_at "webhooks redeliver"' -s n -l dry-run -d 'show which they are, send nothing'
complete -c salon -n '__salon_at "webhooks redeliver"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "webhooks redeliver"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "webhooks redeliver"' -s c -l columns -d 'which fields, in which order; +all for every field' -x -a '(__salon_list id webhook_id event_id event_type status next_attempt_at attempts event created_at updated_at tries last_answer)'
complete -c salon -n '__salon_at "webhooks redeliver"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks redeliver"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks listen"' -l forward-to -d 'hand each on to this address, as it came' -x
complete -c salon -n '__salon_at "webhooks listen"' -l events -d 'which events: booking.*, or names; all when left out' -x -a '(__salon_list \\* booking.\\* payment.\\* client.\\* webhook.\\* booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test)'
complete -c salon -n '__salon_at "webhooks listen"' -l record -d 'add each to this file, for "salon webhooks replay"' -r -F
complete -c salon -n '__salon_at "webhooks listen"' -l keep -d 'keep the endpoint in the end, and say next time what was missed' -x
complete -c salon -n '__salon_at "webhooks listen"' -l port -d 'port to listen on; 0 for any' -x
complete -c salon -n '__salon_at "webhooks listen"' -l host -d 'address to listen on' -x
complete -c salon -n '__salon_at "webhooks listen"' -l public-url -d 'where a service elsewhere reaches this: the address of a tunnel' -x
complete -c salon -n '__salon_at "webhooks listen"' -l secret-file -d 'register nothing: take what is signed with this (SALON_WEBHOOK_SECRET)' -r -F
complete -c salon -n '__salon_at "webhooks listen"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x

complete -c salon -n '__salon_at "webhooks replay" 0' -r -F
complete -c salon -n '__salon_at "webhooks replay"' -l forward-to -d 'where to send them' -x
complete -c salon -n '__salon_at "webhooks replay"' -l events -d 'only these: booking.*, or names' -x -a '(__salon_list \\* booking.\\* payment.\\* client.\\* webhook.\\* booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test)'
complete -c salon -n '__salon_at "webhooks replay"' -l since -d 'only what was received from then on' -x
complete -c salon -n '__salon_at "webhooks replay"' -l sign-with -d 'sign anew with the secret in this file, and with the present time' -r -F
complete -c salon -n '__salon_at "webhooks replay"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "webhooks replay"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks replay"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks verify"' -l headers -d 'its headers, as lines or a JSON object; - for standard input' -r -F
complete -c salon -n '__salon_at "webhooks verify"' -l body -d 'its body, the very bytes that came; - for standard input' -r -F
complete -c salon -n '__salon_at "webhooks verify"' -l secret-file -d 'the secret, or several, a line each (SALON_WEBHOOK_SECRET)' -r -F
complete -c salon -n '__salon_at "webhooks verify"' -l scheme -d 'how it is signed; seen from the headers when left out' -x -a 'standard stripe square hmac'
complete -c salon -n '__salon_at "webhooks verify"' -l url -d 'where it was sent to, as registered; for Square' -x
complete -c salon -n '__salon_at "webhooks verify"' -l at -d 'judge by this time, not by now: when it came' -x
complete -c salon -n '__salon_at "webhooks verify"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "webhooks verify"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks verify"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "webhooks trigger" 0' -x -a 'booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test'
complete -c salon -n '__salon_at "webhooks trigger"' -l to -d 'where to send it; left out, the event is printed' -x
complete -c salon -n '__salon_at "webhooks trigger"' -l secret-file -d 'the secret it is signed with (SALON_WEBHOOK_SECRET); made up when left out' -r -F
complete -c salon -n '__salon_at "webhooks trigger"' -l set -d 'a field of its record; field:=json for anything but text; repeatable' -x
complete -c salon -n '__salon_at "webhooks trigger"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "webhooks trigger"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "webhooks trigger"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "jobs" 0' -a 'list' -d 'List the jobs of this machine, the newest first'
complete -c salon -n '__salon_at "jobs" 0' -a 'show' -d 'Show what a job is to do, and how it stands'
complete -c salon -n '__salon_at "jobs" 0' -a 'apply' -d 'Carry out exactly what a plan says; rows that somebody has changed since stay as they are'
complete -c salon -n '__salon_at "jobs" 0' -a 'resume' -d 'Go on with a job where it stopped; one that is done stays as it is'
complete -c salon -n '__salon_at "jobs" 0' -a 'undo' -d 'Put back what a bulk edit has changed; what somebody has changed since stays as it is'
complete -c salon -n '__salon_at "jobs" 0' -a 'results' -d 'Show what became of every row of a bulk edit'

complete -c salon -n '__salon_at "jobs list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "jobs list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "jobs list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "jobs show"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "jobs show"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "jobs show"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "jobs apply"' -l rehearse -d 'carry it out on a copy in an embedded service, send nothing'
complete -c salon -n '__salon_at "jobs apply"' -l faults -d 'with --rehearse: let this go wrong now and then, such as 429,503,timeout' -x
complete -c salon -n '__salon_at "jobs apply"' -s n -l dry-run -d 'show what would be changed, send nothing'
complete -c salon -n '__salon_at "jobs apply"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "jobs apply"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "jobs apply"' -l max-changes -d 'refuse a plan that changes more records: 50, or 5%' -x
complete -c salon -n '__salon_at "jobs apply"' -l max-clears -d 'refuse a plan that empties more fields' -x
complete -c salon -n '__salon_at "jobs apply"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x

complete -c salon -n '__salon_at "jobs resume"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "jobs resume"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x

complete -c salon -n '__salon_at "jobs undo"' -s n -l dry-run -d 'show what would be put back, send nothing'
complete -c salon -n '__salon_at "jobs undo"' -s y -l yes -d 'do not ask'
complete -c salon -n '__salon_at "jobs undo"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x
complete -c salon -n '__salon_at "jobs undo"' -l max-changes -d 'refuse a plan that changes more records: 50, or 5%' -x
complete -c salon -n '__salon_at "jobs undo"' -l max-clears -d 'refuse a plan that empties more fields' -x
complete -c salon -n '__salon_at "jobs undo"' -l max-errors -d 'bulk edits: stop once so many rows have failed' -x

complete -c salon -n '__salon_at "jobs results"' -l failed -d 'only the rows that did not become as planned'
complete -c salon -n '__salon_at "jobs results"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "jobs results"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "jobs results"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "auth" 0' -a 'login' -d 'Try an API key and keep it in a profile'
complete -c salon -n '__salon_at "auth" 0' -a 'logout' -d 'Forget the key of a profile; its settings stay'
complete -c salon -n '__salon_at "auth" 0' -a 'status' -d 'Say whether the key in use is accepted'

complete -c salon -n '__salon_at "auth login"' -l key-file -d 'read the key from a file; - for standard input' -r -F

complete -c salon -n '__salon_at "profiles" 0' -a 'list' -d 'List the profiles'
complete -c salon -n '__salon_at "profiles" 0' -a 'show' -d 'Show every setting in force, and where each came from'
complete -c salon -n '__salon_at "profiles" 0' -a 'use' -d 'Work with this profile when none is named'
complete -c salon -n '__salon_at "profiles" 0' -a 'set' -d 'Change a setting of a profile'
complete -c salon -n '__salon_at "profiles" 0' -a 'remove' -d 'Forget a profile and its key'

complete -c salon -n '__salon_at "profiles list"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "profiles list"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "profiles list"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "profiles show" 0' -x -a '(__salon_profiles)'
complete -c salon -n '__salon_at "profiles show"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "profiles show"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "profiles show"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "profiles use" 0' -x -a '(__salon_profiles)'

complete -c salon -n '__salon_at "profiles set" 0' -x -a '(__salon_profiles)'
complete -c salon -n '__salon_at "profiles set" 1' -x -a 'time_zone format timeout max_wait rate concurrency retries protected read_only plain prefix page_parameter per_page_parameter rows_key total_key idempotency_keys filter.'

complete -c salon -n '__salon_at "profiles remove" 0' -x -a '(__salon_profiles)'
complete -c salon -n '__salon_at "profiles remove"' -s y -l yes -d 'do not ask'

complete -c salon -n '__salon_at "whoami"' -l check -d 'ask the service; without it nobody is asked'
complete -c salon -n '__salon_at "whoami"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "whoami"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "whoami"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "limits"' -s c -l columns -d 'which fields, in which order; +all for every field' -x
complete -c salon -n '__salon_at "limits"' -s o -l output -d 'write the data there, whole or not at all' -r -F
complete -c salon -n '__salon_at "limits"' -l excel -d 'CSV as Excel wants it: BOM, CRLF, formula cells guarded'

complete -c salon -n '__salon_at "api" 0' -x -a 'GET POST PUT PATCH DELETE HEAD OPTIONS'
complete -c salon -n '__salon_at "api" 1' -x -a '(__salon_after DELETE=/clients/ DELETE=/webhooks/ GET=/appointments GET=/appointments/ GET=/clients GET=/clients/ GET=/me GET=/payments GET=/payments/ GET=/stylists GET=/stylists/ GET=/webhooks GET=/webhooks/ GET=/webhooks/event-types HEAD=/appointments HEAD=/appointments/ HEAD=/clients HEAD=/clients/ HEAD=/me HEAD=/payments HEAD=/payments/ HEAD=/stylists HEAD=/stylists/ HEAD=/webhooks HEAD=/webhooks/ HEAD=/webhooks/event-types PATCH=/appointments/ PATCH=/clients/ POST=/appointments POST=/appointments/ POST=/clients POST=/deliveries/ POST=/payments POST=/payments/ POST=/stylists POST=/webhooks POST=/webhooks/ PUT=/appointments/ PUT=/clients/ PUT=/stylists/ PUT=/webhooks/)'
complete -c salon -n '__salon_at "api"' -l data -d 'the body: JSON, @file, or - for standard input' -x -a '(__salon_marked_file @)'
complete -c salon -n '__salon_at "api"' -l param -d 'a query parameter; repeatable' -x
complete -c salon -n '__salon_at "api"' -l header -d 'a further header; repeatable' -x
complete -c salon -n '__salon_at "api"' -s i -l include -d 'say status and headers too, on standard error'
complete -c salon -n '__salon_at "api"' -l confirm -d 'the account it is meant for; a protected profile wants it' -x

complete -c salon -n '__salon_at "demo"' -l tour -d 'also show what can be done with it'

complete -c salon -n '__salon_at "service" 0' -a 'start' -d 'Run the service until it is told to stop (Ctrl-C or SIGTERM)'
complete -c salon -n '__salon_at "service" 0' -a 'seed' -d 'Add sample stylists, clients, appointments and their payments; the same for the same seed'
complete -c salon -n '__salon_at "service" 0' -a 'backup' -d 'Copy the database into a new file, whole, while the service goes on'
complete -c salon -n '__salon_at "service" 0' -a 'account' -d 'The accounts of a database'
complete -c salon -n '__salon_at "service" 0' -a 'key' -d 'The API keys of a database'

complete -c salon -n '__salon_at "service start"' -l port -d 'port to listen on; 0 for any' -x
complete -c salon -n '__salon_at "service start"' -l host -d 'address to listen on' -x
complete -c salon -n '__salon_at "service start"' -l public-url -d 'the address callers see, behind a proxy' -x
complete -c salon -n '__salon_at "service start"' -l log-level -d 'silent, error, warn, info, debug; on standard error' -x -a 'silent error warn info debug'
complete -c salon -n '__salon_at "service start"' -l database -d 'the database, such as sqlite:salon.db' -x -a '(__salon_marked_file sqlite:)'

complete -c salon -n '__salon_at "service seed"' -l clients -d 'how many clients' -x
complete -c salon -n '__salon_at "service seed"' -l appointments -d 'how many appointments' -x
complete -c salon -n '__salon_at "service seed"' -l seed -d 'which sample' -x
complete -c salon -n '__salon_at "service seed"' -l account -d 'whose; not needed while there is one account' -x
complete -c salon -n '__salon_at "service seed"' -l database -d 'the database, such as sqlite:salon.db' -x -a '(__salon_marked_file sqlite:)'

complete -c salon -n '__salon_at "service backup"' -l to -d 'a file that does not exist yet' -r -F
complete -c salon -n '__salon_at "service backup"' -l database -d 'the database, such as sqlite:salon.db' -x -a '(__salon_marked_file sqlite:)'

complete -c salon -n '__salon_at "service account" 0' -a 'create' -d 'Make an account, and the database when it is new'

complete -c salon -n '__salon_at "service account create"' -l name -d 'what the account is called' -x
complete -c salon -n '__salon_at "service account create"' -l plan -d 'how many requests an hour it has' -x -a 'pro enterprise'
complete -c salon -n '__salon_at "service account create"' -l limit -d 'another number of requests an hour than the plan’s' -x
complete -c salon -n '__salon_at "service account create"' -l database -d 'the database, such as sqlite:salon.db' -x -a '(__salon_marked_file sqlite:)'

complete -c salon -n '__salon_at "service key" 0' -a 'create' -d 'Make an API key; it is shown this once'
complete -c salon -n '__salon_at "service key" 0' -a 'revoke' -d 'End an API key at once'

complete -c salon -n '__salon_at "service key create"' -l name -d 'what the key is for' -x
complete -c salon -n '__salon_at "service key create"' -l role -d 'what it may do' -x -a 'owner manager receptionist stylist viewer'
complete -c salon -n '__salon_at "service key create"' -l account -d 'whose key it is; not needed while there is one account' -x
complete -c salon -n '__salon_at "service key create"' -l scopes -d 'narrow it further: appointments:read, appointments:write, clients:read, clients:write, stylists:read, stylists:write, payments:read, payments:write, webhooks:read, webhooks:write' -x -a '(__salon_list appointments:read appointments:write clients:read clients:write stylists:read stylists:write payments:read payments:write webhooks:read webhooks:write)'
complete -c salon -n '__salon_at "service key create"' -l expires -d 'such as +90d or 2027-01-01; never when left out' -x
complete -c salon -n '__salon_at "service key create"' -l stylist -d 'with --role stylist: whose calendar it reaches' -x
complete -c salon -n '__salon_at "service key create"' -l database -d 'the database, such as sqlite:salon.db' -x -a '(__salon_marked_file sqlite:)'

complete -c salon -n '__salon_at "service key revoke"' -l database -d 'the database, such as sqlite:salon.db' -x -a '(__salon_marked_file sqlite:)'
complete -c salon -n '__salon_at "service key revoke"' -s y -l yes -d 'do not ask'

complete -c salon -n '__salon_at "completion" 0' -x -a 'bash zsh fish powershell'

complete -c salon -n '__salon_at "help" 0' -x -a 'appointments clients stylists payments webhooks jobs auth profiles whoami limits api demo service completion help exit-codes'

