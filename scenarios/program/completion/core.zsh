#compdef warpmem
# Completion of warpmem for zsh, made by 'warpmem completion zsh'.

# The scenario among what was typed: a shipped one, or a file with what stands in it.
_warpmem_of_scenario() # variants|kernels
{
    local kind=$1 word line
    local -a words_of found
    (( $+functions[_warpmem_list_$kind] )) && _warpmem_list_$kind
    words_of=($list)
    for word in $words[2,CURRENT-1]; do
        if [[ $word == *.ini && -r $word ]]; then
            while read -r line; do
                [[ $line == "[${kind%s} "*']' ]] && line=${line#* } && found+=(${line%]})
            done < $word
        else
            found+=(${${(M)words_of:#$word/*}#*/})
        fi
    done
    list=($found)
}

# What an option or argument takes.
_warpmem_take() # KIND...
{
    local kind
    local -a list
    if [[ $1 == '=' ]]; then
        list=(${@:2})
        compadd -a list
        return
    fi
    for kind; do
        list=()
        case $kind in
        files) _files ;;
        folders) _files -/ ;;
        settings)
            if [[ $PREFIX == *=* ]]; then
                _warpmem_list_values && compadd -a list
            else
                _warpmem_list_keys && compadd -S = -q -a list
            fi
            ;;
        variants | kernels) _warpmem_of_scenario $kind && compadd -a list ;;
        *)
            (( $+functions[_warpmem_list_${kind%=}] )) && _warpmem_list_${kind%=}
            compadd -q -S "${${(M)kind%=}:- }" -a list
            [[ $kind == scenarios ]] && _files -g '*.ini'
            ;;
        esac
    done
}

_warpmem()
{
    local path_of= rest=
    local -i at=2
    local -a verbs arguments
    _warpmem_at
    while (( $#verbs && at < CURRENT )); do
        path_of+=_$words[at]
        verbs=()
        (( $+functions[_warpmem_at$path_of] )) || return 1
        _warpmem_at$path_of
        (( at++ ))
    done
    if (( $#verbs )); then
        _describe -t commands command verbs
        return
    fi
    shift $(( at - 2 )) words
    (( CURRENT -= at - 2 ))
    _arguments -s : $arguments '--help[options of the command]' "*: :_warpmem_take $rest"
}

