# Completion of warpmem for bash, made by 'warpmem completion bash'.

# A function of the list it names, words with a space between; "" if there is none of it.
_warpmem_words()
{
    words=
    if declare -F "_warpmem_list_$1" > /dev/null; then "_warpmem_list_$1"; fi
}

# The scenario among what was typed: a shipped one, or a file with what stands in it.
_warpmem_of_scenario() # variants|kernels
{
    local kind=$1 word line found=
    for word in "${typed[@]:at:last-at}"; do
        if [[ $word == *.ini && -r $word ]]; then
            while read -r line; do
                [[ $line == "[${kind%s} "*']' ]] && line=${line#*' '} && found+="${line%]} "
            done < "$word"
        else
            _warpmem_words "$kind"
            words=" $words"
            while [[ $words == *" $word/"* ]]; do
                words=${words#*" $word/"}
                found+="${words%% *} "
            done
        fi
    done
    words=$found
}

_warpmem_choose() # WORDS [SUFFIX]
{
    local reply
    while read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -W "$1" -S "${2-}" -- "$cur")
    if [[ ${2-} && ${#COMPREPLY[@]} -gt 0 ]]; then compopt -o nospace; fi
}

# What an option or argument takes. Files are left to bash, which knows how to quote them.
_warpmem_take() # KIND...
{
    local kind words
    if [[ $1 == '=' ]]; then
        _warpmem_choose "${*:2}"
        return
    fi
    for kind; do
        case $kind in
        files) compopt -o default ;;
        folders) compopt -o dirnames ;;
        settings)
            if [[ $cur == *=* ]]; then kind=values; else kind=keys=; fi
            _warpmem_words "${kind%=}"
            _warpmem_choose "$words" "${kind//[!=]/}"
            ;;
        variants | kernels)
            _warpmem_of_scenario "$kind"
            _warpmem_choose "$words"
            ;;
        *)
            if [[ $kind == scenarios ]]; then compopt -o default; fi
            _warpmem_words "${kind%=}"
            _warpmem_choose "$words" "${kind//[!=]/}"
            ;;
        esac
    done
}

_warpmem_complete()
{
    local - IFS=$' \t\n' at=1 path='' verbs='' options='' rest='' takes='' option quoted='' joined=''
    local line=${COMP_LINE:0:COMP_POINT} cur last typed
    set -o noglob
    # shellcheck disable=SC2206 # it is to be split
    typed=($line)
    if [[ $line == *[[:space:]] ]]; then typed+=(''); fi
    last=$((${#typed[@]} - 1))
    cur=${typed[last]}
    _warpmem_at
    while [[ $verbs && $at -lt $last ]]; do
        path+=_${typed[at++]}
        verbs=
        declare -F "_warpmem_at$path" > /dev/null || return
        "_warpmem_at$path"
    done
    if [[ $verbs ]]; then
        _warpmem_choose "$verbs"
        return
    fi
    option=${typed[last - 1]}
    if [[ $cur == --*=* ]]; then
        joined=${cur%%=*}= option=${cur%%=*} cur=${cur#*=}
    fi
    if [[ $cur == [\'\"]* ]]; then
        quoted=yes cur=${cur:1}
    fi
    "_warpmem_at$path" "$option"
    if [[ $takes ]]; then
        # shellcheck disable=SC2086 # it is to be split
        _warpmem_take $takes
    elif [[ $cur == -* ]]; then
        _warpmem_choose "$options --help"
    else
        # shellcheck disable=SC2086
        _warpmem_take $rest
    fi
    # Where '=' ends a word bash replaces only what stands behind it.
    if [[ $COMP_WORDBREAKS != *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]/#/$joined}")
    elif [[ ! $quoted && $cur == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}")
    fi
}

_warpmem()
{
    COMPREPLY=()
    _warpmem_complete 2> /dev/null
}

complete -F _warpmem warpmem

