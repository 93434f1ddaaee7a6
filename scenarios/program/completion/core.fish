# Completion of warpmem for fish, made by 'warpmem completion fish'.

complete -c warpmem -f

# Whether these are all words behind the program's name, or (--in) the first ones.
function __warpmem_at
    set -l typed (commandline -opc)[2..]
    if test "$argv[1]" = --in
        set -e argv[1]
        test (count $typed) -ge (count $argv); or return 1
        set typed $typed[1..(count $argv)]
    end
    test "$typed" = "$argv"
end

# Words of shipped scenarios, "SCENARIO/WORD", of the one that was typed; of a file what stands in it.
function __warpmem_of_scenario # variants|kernels
    for word in (commandline -opc)[2..]
        if string match -q '*.ini' -- $word; and test -r $word
            string match -rg '^\['(string trim -r -c s $argv[1])' (.*)\]' < $word
        else
            __warpmem_list_$argv[1] | string replace -f -- $word/ ''
        end
    end
end

function __warpmem_settings
    __warpmem_list_keys | string replace -r '$' =
    __warpmem_list_values
end

function __warpmem_scenarios
    __warpmem_list_scenarios
    __fish_complete_suffix .ini
end

