/**
 * The part of the bash script that is the same for every tree of commands. It reads the line itself, because
 * COMP_WORDS is cut at every `=` and `:`, and uses nothing that bash 3.2 or a missing bash-completion lacks.
 */
export const bashEngine = `
# Reads the line before the cursor. Sets words (those that are finished, unquoted), word (the one at the cursor),
# kept (how much of it readline leaves alone), quote (the one still open) and redirected.
_salon_read_line() {
  local line=$1 char escaped='' begun='' i
  for ((i = 0; i < \${#line}; i++)); do
    char=\${line:i:1}
    if [[ $escaped ]]; then
      word+=$char escaped=''
    elif [[ $char == \\\\ && $quote != \\' ]]; then
      escaped=1 begun=1
    elif [[ $quote ]]; then
      if [[ $char == "$quote" ]]; then quote=''; else word+=$char; fi
    elif [[ $char == [\\'\\"] ]]; then
      quote=$char begun=1 kept=$word
    elif [[ $char == [[:space:]] ]]; then
      if [[ $begun && ! $redirected ]]; then words+=("$word"); fi
      if [[ $begun ]]; then redirected=''; fi
      word='' begun='' kept=''
    elif [[ $char == [\\<\\>] ]]; then
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
    --*=*) attached=\${text%%=*}= flag=\${text%%=*} ;;
    --?*) flag=$text ;;
    -?*)
      for ((i = 1; i < \${#text}; i++)); do
        flag=-\${text:i:1}
        if _salon_value "$path" "$flag"; then
          if ((i + 1 < \${#text})); then attached=\${text:0:i+1}; fi
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
    if [[ $candidate == "$word"* ]]; then COMPREPLY+=("\${candidate#"$kept"}"); fi
  done
}

_salon_offer_list() {
  local before=$attached candidate
  local -a open=()
  if [[ \${word#"$attached"} == *,* ]]; then before=\${word%,*},; fi
  for candidate in "\${candidates[@]}"; do
    if [[ ,\${before#"$attached"} != *,"$candidate",* ]]; then open+=("$candidate"); fi
  done
  compopt -o nospace 2>/dev/null
  _salon_offer "$before" "\${open[@]}"
}

# Offers what goes with the argument before. A path that goes on gets no space.
_salon_offer_after() {
  local candidate
  local -a fitting=()
  for candidate in "\${candidates[@]}"; do
    if [[ $candidate == "$last="* ]]; then fitting+=("\${candidate#*=}"); fi
  done
  _salon_offer '' "\${fitting[@]}"
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
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
    file=\${file#"$kept"}
    if [[ ! $quote ]]; then printf -v file %q "$file"; fi
    COMPREPLY+=("$file")
  done < <(compgen -f -- "\${word#"$before"}")
}

_salon_offer_profiles() {
  local name heading=1
  while IFS= read -r name; do
    if [[ ! $heading ]]; then _salon_offer "$attached" "\${name%$'\\r'}"; fi
    heading=''
  done < <("\${words[0]/#\\~/$HOME}" profiles list -c name -f csv 2>/dev/null </dev/null)
}

_salon() {
  local word='' kept='' quote='' redirected='' path='' flag='' attached='' ended='' kind='' last='' count=0
  local -a words=() candidates=()
  COMPREPLY=()
  _salon_read_line "\${COMP_LINE:0:COMP_POINT}"
  if [[ $redirected ]]; then return; fi
  compopt +o default 2>/dev/null
  _salon_follow "\${words[@]:1}"
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
    word) _salon_offer "$attached" "\${candidates[@]}" ;;
    list) _salon_offer_list ;;
    after) _salon_offer_after ;;
    assignment)
      compopt -o nospace 2>/dev/null
      _salon_offer "$attached" "\${candidates[@]/%/=}"
      ;;
    file) _salon_offer_files "\${candidates[0]}" ;;
    profile) _salon_offer_profiles ;;
  esac
}

complete -o default -F _salon salon
`;
