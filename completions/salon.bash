# Completes salon in bash. Made by: salon completion bash

# Goes from a command to the one below it that a word names. Sets path.
_salon_step() {
  case "$1${1:+ }$2" in
    'appointments' | 'appointment') path='appointments' ;;
    'appointments list') path='appointments list' ;;
    'appointments calendar') path='appointments calendar' ;;
    'appointments get') path='appointments get' ;;
    'appointments create') path='appointments create' ;;
    'appointments update') path='appointments update' ;;
    'appointments cancel') path='appointments cancel' ;;
    'clients' | 'client') path='clients' ;;
    'clients list') path='clients list' ;;
    'clients get') path='clients get' ;;
    'clients create') path='clients create' ;;
    'clients update') path='clients update' ;;
    'clients delete') path='clients delete' ;;
    'stylists' | 'stylist') path='stylists' ;;
    'stylists list') path='stylists list' ;;
    'stylists get') path='stylists get' ;;
    'stylists create') path='stylists create' ;;
    'stylists update') path='stylists update' ;;
    'payments' | 'payment') path='payments' ;;
    'payments list') path='payments list' ;;
    'payments get') path='payments get' ;;
    'payments record') path='payments record' ;;
    'payments refund') path='payments refund' ;;
    'webhooks' | 'webhook') path='webhooks' ;;
    'webhooks list') path='webhooks list' ;;
    'webhooks get') path='webhooks get' ;;
    'webhooks create') path='webhooks create' ;;
    'webhooks update') path='webhooks update' ;;
    'webhooks delete') path='webhooks delete' ;;
    'webhooks rotate') path='webhooks rotate' ;;
    'webhooks test') path='webhooks test' ;;
    'webhooks deliveries') path='webhooks deliveries' ;;
    'webhooks redeliver') path='webhooks redeliver' ;;
    'webhooks listen') path='webhooks listen' ;;
    'webhooks replay') path='webhooks replay' ;;
    'webhooks verify') path='webhooks verify' ;;
    'webhooks trigger') path='webhooks trigger' ;;
    'jobs' | 'job') path='jobs' ;;
    'jobs list') path='jobs list' ;;
    'jobs show') path='jobs show' ;;
    'jobs apply') path='jobs apply' ;;
    'jobs resume') path='jobs resume' ;;
    'jobs undo') path='jobs undo' ;;
    'jobs results') path='jobs results' ;;
    'auth') path='auth' ;;
    'auth login') path='auth login' ;;
    'auth logout') path='auth logout' ;;
    'auth status') path='auth status' ;;
    'profiles' | 'profile') path='profiles' ;;
    'profiles list') path='profiles list' ;;
    'profiles show') path='profiles show' ;;
    'profiles use') path='profiles use' ;;
    'profiles set') path='profiles set' ;;
    'profiles remove') path='profiles remove' ;;
    'whoami') path='whoami' ;;
    'limits') path='limits' ;;
    'api') path='api' ;;
    'demo') path='demo' ;;
    'service') path='service' ;;
    'service start') path='service start' ;;
    'service seed') path='service seed' ;;
    'service backup') path='service backup' ;;
    'service account') path='service account' ;;
    'service account create') path='service account create' ;;
    'service key') path='service key' ;;
    'service key create') path='service key create' ;;
    'service key revoke') path='service key revoke' ;;
    'completion') path='completion' ;;
    'help') path='help' ;;
    *) return 1 ;;
  esac
}

# What the value of a flag can be, or the argument of that number. Sets kind and candidates.
_salon_value() {
  candidates=()
  case "$1 $2" in
    ' 0')
      kind=word candidates=(appointments clients stylists payments webhooks jobs auth profiles whoami limits api demo service completion help) ;;
    'appointments 0')
      kind=word candidates=(list calendar get create update cancel) ;;
    'appointments list --client' | \
    'appointments list --stylist' | \
    'appointments list --from' | \
    'appointments list --to' | \
    'appointments list --updated-since' | \
    'appointments list --limit' | \
    'appointments list --param' | \
    'appointments list --shard' | \
    'appointments list --overlap' | \
    'appointments calendar 0' | \
    'appointments calendar --day' | \
    'appointments calendar --stylist' | \
    'appointments get 0' | \
    'appointments create --client' | \
    'appointments create --stylist' | \
    'appointments create --service' | \
    'appointments create --start' | \
    'appointments create --duration' | \
    'appointments create --notes' | \
    'appointments create --faults' | \
    'appointments create --max-changes' | \
    'appointments create --max-clears' | \
    'appointments create --max-errors' | \
    'appointments create --confirm' | \
    'appointments update 0' | \
    'appointments update --client' | \
    'appointments update --stylist' | \
    'appointments update --service' | \
    'appointments update --start' | \
    'appointments update --duration' | \
    'appointments update --notes' | \
    'appointments update --confirm' | \
    'appointments cancel 0' | \
    'appointments cancel --reason' | \
    'appointments cancel --confirm' | \
    'clients list --search' | \
    'clients list --email' | \
    'clients list --phone' | \
    'clients list --updated-since' | \
    'clients list --limit' | \
    'clients list --param' | \
    'clients list --shard' | \
    'clients list --overlap' | \
    'clients get 0' | \
    'clients create --faults' | \
    'clients create --max-changes' | \
    'clients create --max-clears' | \
    'clients create --max-errors' | \
    'clients create --confirm' | \
    'clients update 0' | \
    'clients update --match' | \
    'clients update --faults' | \
    'clients update --max-changes' | \
    'clients update --max-clears' | \
    'clients update --max-errors' | \
    'clients update --confirm' | \
    'clients delete 0' | \
    'clients delete --match' | \
    'clients delete --faults' | \
    'clients delete --max-changes' | \
    'clients delete --max-clears' | \
    'clients delete --max-errors' | \
    'clients delete --confirm' | \
    'stylists list --limit' | \
    'stylists list --param' | \
    'stylists get 0' | \
    'stylists create --confirm' | \
    'stylists update 0' | \
    'stylists update --confirm' | \
    'payments list --client' | \
    'payments list --appointment' | \
    'payments list --from' | \
    'payments list --to' | \
    'payments list --limit' | \
    'payments list --param' | \
    'payments list --shard' | \
    'payments get 0' | \
    'payments record --appointment' | \
    'payments record --client' | \
    'payments record --amount' | \
    'payments record --currency' | \
    'payments record --tip' | \
    'payments record --reference' | \
    'payments record --confirm' | \
    'payments refund 0' | \
    'payments refund --amount' | \
    'payments refund --confirm' | \
    'webhooks list --limit' | \
    'webhooks list --param' | \
    'webhooks get 0' | \
    'webhooks get -c' | \
    'webhooks get --columns' | \
    'webhooks create 0' | \
    'webhooks create --description' | \
    'webhooks create --confirm' | \
    'webhooks update 0' | \
    'webhooks update --url' | \
    'webhooks update --description' | \
    'webhooks update --confirm' | \
    'webhooks delete 0' | \
    'webhooks delete --confirm' | \
    'webhooks rotate 0' | \
    'webhooks rotate --confirm' | \
    'webhooks rotate -c' | \
    'webhooks rotate --columns' | \
    'webhooks test 0' | \
    'webhooks test --confirm' | \
    'webhooks deliveries 0' | \
    'webhooks deliveries --from' | \
    'webhooks deliveries --to' | \
    'webhooks deliveries --limit' | \
    'webhooks deliveries --param' | \
    'webhooks redeliver 0' | \
    'webhooks redeliver --webhook' | \
    'webhooks redeliver --from' | \
    'webhooks redeliver --to' | \
    'webhooks redeliver --confirm' | \
    'webhooks listen --forward-to' | \
    'webhooks listen --keep' | \
    'webhooks listen --port' | \
    'webhooks listen --host' | \
    'webhooks listen --public-url' | \
    'webhooks listen --confirm' | \
    'webhooks replay --forward-to' | \
    'webhooks replay --since' | \
    'webhooks replay -c' | \
    'webhooks replay --columns' | \
    'webhooks verify --url' | \
    'webhooks verify --at' | \
    'webhooks verify -c' | \
    'webhooks verify --columns' | \
    'webhooks trigger --to' | \
    'webhooks trigger --set' | \
    'webhooks trigger -c' | \
    'webhooks trigger --columns' | \
    'jobs list -c' | \
    'jobs list --columns' | \
    'jobs show 0' | \
    'jobs show -c' | \
    'jobs show --columns' | \
    'jobs apply 0' | \
    'jobs apply --faults' | \
    'jobs apply --confirm' | \
    'jobs apply --max-changes' | \
    'jobs apply --max-clears' | \
    'jobs apply --max-errors' | \
    'jobs resume 0' | \
    'jobs resume --confirm' | \
    'jobs resume --max-errors' | \
    'jobs undo 0' | \
    'jobs undo --confirm' | \
    'jobs undo --max-changes' | \
    'jobs undo --max-clears' | \
    'jobs undo --max-errors' | \
    'jobs results 0' | \
    'jobs results -c' | \
    'jobs results --columns' | \
    'profiles list -c' | \
    'profiles list --columns' | \
    'profiles show -c' | \
    'profiles show --columns' | \
    'profiles set 2' | \
    'whoami -c' | \
    'whoami --columns' | \
    'limits -c' | \
    'limits --columns' | \
    'api --param' | \
    'api --header' | \
    'api --confirm' | \
    'service start --port' | \
    'service start --host' | \
    'service start --public-url' | \
    'service seed --clients' | \
    'service seed --appointments' | \
    'service seed --seed' | \
    'service seed --account' | \
    'service account create --name' | \
    'service account create --limit' | \
    'service key create --name' | \
    'service key create --account' | \
    'service key create --expires' | \
    'service key create --stylist' | \
    'service key revoke 0')
      kind=free ;;
    'appointments list --status' | \
    'appointments calendar --status')
      kind=list candidates=(pending confirmed arrived in_service completed cancelled no_show) ;;
    'appointments list -c' | \
    'appointments list --columns' | \
    'appointments calendar -c' | \
    'appointments calendar --columns' | \
    'appointments get -c' | \
    'appointments get --columns' | \
    'appointments create -c' | \
    'appointments create --columns' | \
    'appointments update -c' | \
    'appointments update --columns' | \
    'appointments cancel -c' | \
    'appointments cancel --columns')
      kind=list candidates=(id client_id stylist_id service start_time duration status notes cancellation_reason created_at updated_at) ;;
    'appointments list -o' | \
    'appointments list --output' | \
    'appointments list --state' | \
    'appointments calendar -o' | \
    'appointments calendar --output' | \
    'appointments get -o' | \
    'appointments get --output' | \
    'appointments create --from' | \
    'appointments create --plan' | \
    'appointments create -o' | \
    'appointments create --output' | \
    'appointments update -o' | \
    'appointments update --output' | \
    'appointments cancel -o' | \
    'appointments cancel --output' | \
    'clients list -o' | \
    'clients list --output' | \
    'clients list --state' | \
    'clients get -o' | \
    'clients get --output' | \
    'clients create --from' | \
    'clients create --plan' | \
    'clients create -o' | \
    'clients create --output' | \
    'clients update --from' | \
    'clients update --plan' | \
    'clients update -o' | \
    'clients update --output' | \
    'clients delete --from' | \
    'clients delete --plan' | \
    'stylists list -o' | \
    'stylists list --output' | \
    'stylists get -o' | \
    'stylists get --output' | \
    'stylists create -o' | \
    'stylists create --output' | \
    'stylists update -o' | \
    'stylists update --output' | \
    'payments list -o' | \
    'payments list --output' | \
    'payments get -o' | \
    'payments get --output' | \
    'payments record -o' | \
    'payments record --output' | \
    'payments refund -o' | \
    'payments refund --output' | \
    'webhooks list -o' | \
    'webhooks list --output' | \
    'webhooks get -o' | \
    'webhooks get --output' | \
    'webhooks create --secret-file' | \
    'webhooks create -o' | \
    'webhooks create --output' | \
    'webhooks update -o' | \
    'webhooks update --output' | \
    'webhooks rotate --secret-file' | \
    'webhooks rotate -o' | \
    'webhooks rotate --output' | \
    'webhooks test -o' | \
    'webhooks test --output' | \
    'webhooks deliveries -o' | \
    'webhooks deliveries --output' | \
    'webhooks redeliver -o' | \
    'webhooks redeliver --output' | \
    'webhooks listen --record' | \
    'webhooks listen --secret-file' | \
    'webhooks replay 0' | \
    'webhooks replay --sign-with' | \
    'webhooks replay -o' | \
    'webhooks replay --output' | \
    'webhooks verify --headers' | \
    'webhooks verify --body' | \
    'webhooks verify --secret-file' | \
    'webhooks verify -o' | \
    'webhooks verify --output' | \
    'webhooks trigger --secret-file' | \
    'webhooks trigger -o' | \
    'webhooks trigger --output' | \
    'jobs list -o' | \
    'jobs list --output' | \
    'jobs show -o' | \
    'jobs show --output' | \
    'jobs results -o' | \
    'jobs results --output' | \
    'auth login --key-file' | \
    'profiles list -o' | \
    'profiles list --output' | \
    'profiles show -o' | \
    'profiles show --output' | \
    'whoami -o' | \
    'whoami --output' | \
    'limits -o' | \
    'limits --output' | \
    'service backup --to')
      kind=file candidates=('') ;;
    'appointments list --sort')
      kind=word candidates=(start_time -start_time created_at -created_at updated_at -updated_at) ;;
    'appointments create --status' | \
    'appointments update --status')
      kind=word candidates=(pending confirmed arrived in_service completed cancelled no_show) ;;
    'appointments create --set' | \
    'appointments update --set')
      kind=assignment candidates=(client_id stylist_id service start_time duration status notes allow_overlap) ;;
    'appointments create --data' | \
    'appointments update --data' | \
    'clients create --data' | \
    'clients update --data' | \
    'stylists create --data' | \
    'stylists update --data' | \
    'payments record --data' | \
    'webhooks create --data' | \
    'webhooks update --data' | \
    'api --data')
      kind=file candidates=('@') ;;
    'appointments create --sheet-format' | \
    'clients create --sheet-format' | \
    'clients update --sheet-format' | \
    'clients delete --sheet-format')
      kind=word candidates=(csv ndjson json) ;;
    'clients 0')
      kind=word candidates=(list get create update delete) ;;
    'clients list -c' | \
    'clients list --columns' | \
    'clients get -c' | \
    'clients get --columns' | \
    'clients create -c' | \
    'clients create --columns' | \
    'clients update -c' | \
    'clients update --columns')
      kind=list candidates=(id first_name last_name email phone birthday notes preferred_stylist_id tags email_marketing_consent sms_marketing_consent external_id created_at updated_at) ;;
    'clients list --sort')
      kind=word candidates=(created_at -created_at updated_at -updated_at last_name -last_name) ;;
    'clients create --set' | \
    'clients update --set')
      kind=assignment candidates=(first_name last_name email phone birthday notes preferred_stylist_id tags email_marketing_consent sms_marketing_consent external_id) ;;
    'stylists 0')
      kind=word candidates=(list get create update) ;;
    'stylists list -c' | \
    'stylists list --columns' | \
    'stylists get -c' | \
    'stylists get --columns' | \
    'stylists create -c' | \
    'stylists create --columns' | \
    'stylists update -c' | \
    'stylists update --columns')
      kind=list candidates=(id first_name last_name display_name email phone active services created_at updated_at) ;;
    'stylists list --sort' | \
    'payments list --sort')
      kind=word candidates=(created_at -created_at updated_at -updated_at) ;;
    'stylists create --set' | \
    'stylists update --set')
      kind=assignment candidates=(first_name last_name display_name email phone active services) ;;
    'payments 0')
      kind=word candidates=(list get record refund) ;;
    'payments list --status')
      kind=list candidates=(pending completed failed cancelled) ;;
    'payments list -c' | \
    'payments list --columns' | \
    'payments get -c' | \
    'payments get --columns' | \
    'payments record -c' | \
    'payments record --columns' | \
    'payments refund -c' | \
    'payments refund --columns')
      kind=list candidates=(id client_id appointment_id amount currency tip_amount method status refunded_amount reference created_at updated_at) ;;
    'payments record --method')
      kind=word candidates=(cash card gift_card other) ;;
    'payments record --status')
      kind=word candidates=(pending completed failed cancelled) ;;
    'payments record --set')
      kind=assignment candidates=(client_id appointment_id amount currency tip_amount method status reference) ;;
    'webhooks 0')
      kind=word candidates=(list get create update delete rotate test deliveries redeliver listen replay verify trigger) ;;
    'webhooks list -c' | \
    'webhooks list --columns' | \
    'webhooks create -c' | \
    'webhooks create --columns' | \
    'webhooks update -c' | \
    'webhooks update --columns')
      kind=list candidates=(id url events description active disabled_reason created_at updated_at) ;;
    'webhooks create --events' | \
    'webhooks update --events' | \
    'webhooks listen --events' | \
    'webhooks replay --events')
      kind=list candidates=(\* booking.\* payment.\* client.\* webhook.\* booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test) ;;
    'webhooks create --set' | \
    'webhooks update --set')
      kind=assignment candidates=(url events description active) ;;
    'webhooks test -c' | \
    'webhooks test --columns' | \
    'webhooks deliveries -c' | \
    'webhooks deliveries --columns' | \
    'webhooks redeliver -c' | \
    'webhooks redeliver --columns')
      kind=list candidates=(id webhook_id event_id event_type status next_attempt_at attempts event created_at updated_at tries last_answer) ;;
    'webhooks deliveries --status' | \
    'webhooks redeliver --status')
      kind=word candidates=(pending delivered failed) ;;
    'webhooks verify --scheme')
      kind=word candidates=(standard stripe square hmac) ;;
    'webhooks trigger 0')
      kind=word candidates=(booking.created booking.updated booking.rescheduled booking.confirmed booking.arrived booking.started booking.completed booking.no_show booking.cancelled payment.created payment.completed payment.failed payment.refunded client.created client.updated client.deleted webhook.test) ;;
    'jobs 0')
      kind=word candidates=(list show apply resume undo results) ;;
    'auth 0')
      kind=word candidates=(login logout status) ;;
    'profiles 0')
      kind=word candidates=(list show use set remove) ;;
    'profiles show 0' | \
    'profiles use 0' | \
    'profiles set 0' | \
    'profiles remove 0')
      kind=profile ;;
    'profiles set 1')
      kind=word candidates=(time_zone format timeout max_wait rate concurrency retries protected read_only plain prefix page_parameter per_page_parameter rows_key total_key idempotency_keys filter.) ;;
    'api 0')
      kind=word candidates=(GET POST PUT PATCH DELETE HEAD OPTIONS) ;;
    'api 1')
      kind=after candidates=(DELETE=/clients/ DELETE=/webhooks/ GET=/appointments GET=/appointments/ GET=/clients GET=/clients/ GET=/me GET=/payments GET=/payments/ GET=/stylists GET=/stylists/ GET=/webhooks GET=/webhooks/ GET=/webhooks/event-types HEAD=/appointments HEAD=/appointments/ HEAD=/clients HEAD=/clients/ HEAD=/me HEAD=/payments HEAD=/payments/ HEAD=/stylists HEAD=/stylists/ HEAD=/webhooks HEAD=/webhooks/ HEAD=/webhooks/event-types PATCH=/appointments/ PATCH=/clients/ POST=/appointments POST=/appointments/ POST=/clients POST=/deliveries/ POST=/payments POST=/payments/ POST=/stylists POST=/webhooks POST=/webhooks/ PUT=/appointments/ PUT=/clients/ PUT=/stylists/ PUT=/webhooks/) ;;
    'service 0')
      kind=word candidates=(start seed backup account key) ;;
    'service start --log-level')
      kind=word candidates=(silent error warn info debug) ;;
    'service start --database' | \
    'service seed --database' | \
    'service backup --database' | \
    'service account create --database' | \
    'service key create --database' | \
    'service key revoke --database')
      kind=file candidates=('sqlite:') ;;
    'service account 0')
      kind=word candidates=(create) ;;
    'service account create --plan')
      kind=word candidates=(pro enterprise) ;;
    'service key 0')
      kind=word candidates=(create revoke) ;;
    'service key create --role')
      kind=word candidates=(owner manager receptionist stylist viewer) ;;
    'service key create --scopes')
      kind=list candidates=(appointments:read appointments:write clients:read clients:write stylists:read stylists:write payments:read payments:write webhooks:read webhooks:write) ;;
    'completion 0')
      kind=word candidates=(bash zsh fish powershell) ;;
    'help 0')
      kind=word candidates=(appointments clients stylists payments webhooks jobs auth profiles whoami limits api demo service completion help exit-codes) ;;
    *' -p' | \
    *' --profile')
      kind=profile ;;
    *' --base-url' | \
    *' --timeout' | \
    *' --retries' | \
    *' --max-wait' | \
    *' --rate' | \
    *' --concurrency')
      kind=free ;;
    *' -f' | \
    *' --format')
      kind=word candidates=(table json ndjson csv) ;;
    *) return 1 ;;
  esac
}

# The flags of a command. Sets candidates.
_salon_flags() {
  candidates=()
  case "$1" in
    'appointments list') candidates=(--client --stylist --status --from --to --updated-since -c --columns -o --output --excel --limit --param --sort --consistent --manifest --shard --since-last --state --overlap) ;;
    'appointments calendar') candidates=(--day --week --stylist --status --all --no-names -c --columns -o --output --excel) ;;
    'appointments get') candidates=(-c --columns -o --output --excel) ;;
    'appointments create') candidates=(--client --stylist --service --start --duration --status --notes --allow-overlap --set --data -n --dry-run --from --sheet-format --guarded --no-guarded --allow-new-fields --plan --rehearse --faults --max-changes --max-clears --max-errors -y --yes --confirm -c --columns -o --output --excel) ;;
    'appointments update') candidates=(--client --stylist --service --start --duration --status --notes --allow-overlap --set --data -n --dry-run --partial --exit-code --confirm -c --columns -o --output --excel) ;;
    'appointments cancel') candidates=(--reason -n --dry-run --confirm -c --columns -o --output --excel) ;;
    'clients list') candidates=(--search --email --phone --updated-since -c --columns -o --output --excel --limit --param --sort --consistent --manifest --shard --since-last --state --overlap) ;;
    'clients get') candidates=(--history --no-history -c --columns -o --output --excel) ;;
    'clients create') candidates=(--set --data -n --dry-run --from --sheet-format --guarded --no-guarded --allow-new-fields --plan --rehearse --faults --max-changes --max-clears --max-errors -y --yes --confirm -c --columns -o --output --excel) ;;
    'clients update') candidates=(--set --data -n --dry-run --partial --exit-code --match --from --sheet-format --guarded --no-guarded --allow-new-fields --plan --rehearse --faults --max-changes --max-clears --max-errors -y --yes --confirm -c --columns -o --output --excel) ;;
    'clients delete') candidates=(--force --ignore-missing -n --dry-run --match --from --sheet-format --guarded --no-guarded --allow-new-fields --plan --rehearse --faults --max-changes --max-clears --max-errors -y --yes --confirm) ;;
    'stylists list') candidates=(-c --columns -o --output --excel --limit --param --sort) ;;
    'stylists get') candidates=(-c --columns -o --output --excel) ;;
    'stylists create') candidates=(--set --data -n --dry-run --confirm -c --columns -o --output --excel) ;;
    'stylists update') candidates=(--set --data -n --dry-run --partial --exit-code --confirm -c --columns -o --output --excel) ;;
    'payments list') candidates=(--client --appointment --status --from --to -c --columns -o --output --excel --limit --param --sort --consistent --manifest --shard) ;;
    'payments get') candidates=(-c --columns -o --output --excel) ;;
    'payments record') candidates=(--appointment --client --amount --currency --tip --method --status --reference --set --data -n --dry-run --confirm -c --columns -o --output --excel) ;;
    'payments refund') candidates=(--amount -n --dry-run -y --yes --confirm -c --columns -o --output --excel) ;;
    'webhooks list') candidates=(-c --columns -o --output --excel --limit --param) ;;
    'webhooks get') candidates=(-c --columns -o --output --excel) ;;
    'webhooks create') candidates=(--events --description --secret-file --set --data -n --dry-run --confirm -c --columns -o --output --excel) ;;
    'webhooks update') candidates=(--url --events --description --active --inactive --set --data -n --dry-run --partial --exit-code --confirm -c --columns -o --output --excel) ;;
    'webhooks delete') candidates=(--ignore-missing -n --dry-run -y --yes --confirm) ;;
    'webhooks rotate') candidates=(-n --dry-run --secret-file --confirm -c --columns -o --output --excel) ;;
    'webhooks test') candidates=(--no-wait -n --dry-run --confirm -c --columns -o --output --excel) ;;
    'webhooks deliveries') candidates=(--status --from --to -c --columns -o --output --excel --limit --param) ;;
    'webhooks redeliver') candidates=(--webhook --from --to --status -n --dry-run -y --yes --confirm -c --columns -o --output --excel) ;;
    'webhooks listen') candidates=(--forward-to --events --record --keep --port --host --public-url --secret-file --confirm) ;;
    'webhooks replay') candidates=(--forward-to --events --since --sign-with -c --columns -o --output --excel) ;;
    'webhooks verify') candidates=(--headers --body --secret-file --scheme --url --at -c --columns -o --output --excel) ;;
    'webhooks trigger') candidates=(--to --secret-file --set -c --columns -o --output --excel) ;;
    'jobs list') candidates=(-c --columns -o --output --excel) ;;
    'jobs show') candidates=(-c --columns -o --output --excel) ;;
    'jobs apply') candidates=(--rehearse --faults -n --dry-run -y --yes --confirm --max-changes --max-clears --max-errors) ;;
    'jobs resume') candidates=(--confirm --max-errors) ;;
    'jobs undo') candidates=(-n --dry-run -y --yes --confirm --max-changes --max-clears --max-errors) ;;
    'jobs results') candidates=(--failed -c --columns -o --output --excel) ;;
    'auth login') candidates=(--key-file) ;;
    'profiles list') candidates=(-c --columns -o --output --excel) ;;
    'profiles show') candidates=(-c --columns -o --output --excel) ;;
    'profiles remove') candidates=(-y --yes) ;;
    'whoami') candidates=(--check -c --columns -o --output --excel) ;;
    'limits') candidates=(-c --columns -o --output --excel) ;;
    'api') candidates=(--data --param --header -i --include --confirm) ;;
    'demo') candidates=(--tour) ;;
    'service start') candidates=(--port --host --public-url --log-level --database) ;;
    'service seed') candidates=(--clients --appointments --seed --account --database) ;;
    'service backup') candidates=(--to --database) ;;
    'service account create') candidates=(--name --plan --limit --database) ;;
    'service key create') candidates=(--name --role --account --scopes --expires --stylist --database) ;;
    'service key revoke') candidates=(--database -y --yes) ;;
  esac
  candidates+=(-V --version -p --profile --base-url -f --format --json -q --quiet -v --verbose --debug --timeout --retries --max-wait --rate --concurrency --no-color --plain --no-pager --no-input -h --help)
}

# Reads the line before the cursor. Sets words (those that are finished, unquoted), word (the one at the cursor),
# kept (how much of it readline leaves alone), quote (the one still open) and redirected.
_salon_read_line() {
  local line=$1 char escaped='' begun='' i
  for ((i = 0; i < ${#line}; i++)); do
    char=${line:i:1}
    if [[ $escaped ]]; then
      word+=$char escaped=''
    elif [[ $char == \\ && $quote != \' ]]; then
      escaped=1 begun=1
    elif [[ $quote ]]; then
      if [[ $char == "$quote" ]]; then quote=''; else word+=$char; fi
    elif [[ $char == [\'\"] ]]; then
      quote=$char begun=1 kept=$word
    elif [[ $char == [[:space:]] ]]; then
      if [[ $begun && ! $redirected ]]; then words+=("$word"); fi
      if [[ $begun ]]; then redirected=''; fi
      word='' begun='' kept=''
    elif [[ $char == [\<\>] ]]; then
      if [[ $begun && ! $word =~ ^[0-9]*$ ]]; then words+=("$word"); fi
      word='' begun='' kept='' redirected=1
    else
      word+=$char begun=1
      if [[ $char == [=:] && $COMP_WORDBREAKS == *"$char"* ]]; then kept=$word; fi
    fi
  done
}

# Finds the flag in a word whose value is in the same word or follows it. Sets flag, and attached: all of the
# word that stands before the value, or nothing when the value is the next word.
_salon_find_flag() {
  local text=$1 i
  flag='' attached=''
  case $text in
    --*=*) attached=${text%%=*}= flag=${text%%=*} ;;
    --?*) flag=$text ;;
    -?*)
      for ((i = 1; i < ${#text}; i++)); do
        flag=-${text:i:1}
        if _salon_value "$path" "$flag"; then
          if ((i + 1 < ${#text})); then attached=${text:0:i+1}; fi
          return 0
        fi
      done
      return 1
      ;;
  esac
  _salon_value "$path" "$flag"
}

# Follows the finished words. Sets path, count (arguments so far), last (the last of them), flag (one that waits
# for its value) and ended (after --).
_salon_follow() {
  local seen
  for seen in "$@"; do
    if [[ $flag ]]; then
      flag=''
    elif [[ ! $ended && $seen == -- ]]; then
      ended=1
    elif [[ ! $ended && $seen == -?* ]]; then
      if ! _salon_find_flag "$seen" || [[ $attached ]]; then flag=''; fi
    elif ((count > 0)) || ! _salon_step "$path" "$seen"; then
      count=$((count + 1)) last=$seen
    fi
  done
  attached=''
}

# Offers the candidates that go on from the word, each with what stands before it in the word.
_salon_offer() {
  local before=$1 candidate
  shift
  for candidate in "$@"; do
    candidate=$before$candidate
    if [[ $candidate == "$word"* ]]; then COMPREPLY+=("${candidate#"$kept"}"); fi
  done
}

_salon_offer_list() {
  local before=$attached candidate
  local -a open=()
  if [[ ${word#"$attached"} == *,* ]]; then before=${word%,*},; fi
  for candidate in "${candidates[@]}"; do
    if [[ ,${before#"$attached"} != *,"$candidate",* ]]; then open+=("$candidate"); fi
  done
  compopt -o nospace 2>/dev/null
  _salon_offer "$before" "${open[@]}"
}

# Offers what goes with the argument before. A path that goes on gets no space.
_salon_offer_after() {
  local candidate
  local -a fitting=()
  for candidate in "${candidates[@]}"; do
    if [[ $candidate == "$last="* ]]; then fitting+=("${candidate#*=}"); fi
  done
  _salon_offer '' "${fitting[@]}"
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
}

# Offers files behind a mark such as @. Where readline sees the path as a word of its own, it does this better.
_salon_offer_files() {
  local before=$attached$1 file
  if [[ $before == "$kept" ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  if [[ $word != "$before"* ]]; then
    compopt -o nospace 2>/dev/null
    _salon_offer '' "$before"
    return
  fi
  while IFS= read -r file; do
    if [[ -d $file ]]; then
      compopt -o nospace 2>/dev/null
      file+=/
    fi
    file=$before$file
    file=${file#"$kept"}
    if [[ ! $quote ]]; then printf -v file %q "$file"; fi
    COMPREPLY+=("$file")
  done < <(compgen -f -- "${word#"$before"}")
}

_salon_offer_profiles() {
  local name heading=1
  while IFS= read -r name; do
    if [[ ! $heading ]]; then _salon_offer "$attached" "${name%$'\r'}"; fi
    heading=''
  done < <("${words[0]/#\~/$HOME}" profiles list -c name -f csv 2>/dev/null </dev/null)
}

_salon() {
  local word='' kept='' quote='' redirected='' path='' flag='' attached='' ended='' kind='' last='' count=0
  local -a words=() candidates=()
  COMPREPLY=()
  _salon_read_line "${COMP_LINE:0:COMP_POINT}"
  if [[ $redirected ]]; then return; fi
  compopt +o default 2>/dev/null
  _salon_follow "${words[@]:1}"
  if [[ $flag ]]; then
    _salon_value "$path" "$flag"
  elif [[ ! $ended ]] && _salon_find_flag "$word" && [[ $attached ]]; then
    :
  elif [[ ! $ended && $word == -* ]]; then
    attached='' kind=word
    _salon_flags "$path"
  elif attached='' && ! _salon_value "$path" "$count" && [[ ! $word && ! $ended ]]; then
    kind=word
    _salon_flags "$path"
  fi
  case $kind in
    word) _salon_offer "$attached" "${candidates[@]}" ;;
    list) _salon_offer_list ;;
    after) _salon_offer_after ;;
    assignment)
      compopt -o nospace 2>/dev/null
      _salon_offer "$attached" "${candidates[@]/%/=}"
      ;;
    file) _salon_offer_files "${candidates[0]}" ;;
    profile) _salon_offer_profiles ;;
  esac
}

complete -o default -F _salon salon

