"""What the example step imports once it is installed."""


def greeting():
    return "hello from an installed package"
