# Completes salon in fish: salon completion fish > ~/.config/fish/completions/salon.fish

function __salon_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for quote in '' '"' "'"
        if string unescape -- "$word$quote" >/dev/null
            set word (string unescape -- "$word$quote")
            break
        end
    end
    set -l program $words[1]
    set -e words[1]
    for line in ($program __complete $words "$word" 2>/dev/null </dev/null)
        switch $line
            case :nospace
            case ':files*'
                set -l prefix (string sub -s 8 -- $line)
                set -l start (string sub -s (math (string length -- "$prefix") + 1) -- "$word")
                for file in (complete -C "'' $start")
                    echo -- $prefix$file
                end
            case '*'
                echo -- $line
        end
    end
end

complete -c salon -f -a '(__salon_complete)'
