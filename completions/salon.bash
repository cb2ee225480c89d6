# Completes salon in bash. In ~/.bashrc: eval "$(salon completion bash)"
# It reads the line itself, because bash cuts COMP_WORDS at every = and :, and runs on bash 3.2.

_salon() {
  local line=${COMP_LINE:0:COMP_POINT} word='' kept='' quote='' begun='' escaped='' redirected='' char reply file i
  local -a words=()
  COMPREPLY=()
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
      # Readline takes what follows as a word of its own, and leaves what is before it alone.
      if [[ $char == [=:] && $COMP_WORDBREAKS == *"$char"* ]]; then kept=$word; fi
    fi
  done
  if [[ $redirected ]]; then return; fi
  compopt +o default 2>/dev/null
  while IFS= read -r reply; do
    case $reply in
      :nospace) compopt -o nospace 2>/dev/null ;;
      ":files $kept") compopt -o default 2>/dev/null ;;
      :files*)
        while IFS= read -r file; do
          if [[ -d $file ]]; then compopt -o nospace 2>/dev/null; file+=/; fi
          _salon_offer "${reply#:files }$file"
        done < <(compgen -f -- "${word#"${reply#:files }"}")
        ;;
      *) _salon_offer "${reply%%$'\t'*}" ;;
    esac
  done < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" "$word" 2>/dev/null </dev/null)
}

_salon_offer() {
  local offer=${1#"$kept"}
  if [[ ! $quote && $offer == *[!A-Za-z0-9_.,:=@/+-]* ]]; then printf -v offer %q "$offer"; fi
  COMPREPLY+=("$offer")
}

complete -o default -F _salon salon
